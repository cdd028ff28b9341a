import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: the parked grants.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        try .page(of: message.data) { request in
            request.list == .parked ? try ParkedGrants(connection: context.connection).page(request) : nil
        }
    }
}
