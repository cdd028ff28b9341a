import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: the parked grants, and the compensations that wait for another operator
/// or are contested.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        try .page(of: message.data) { request in
            switch request.list {
            case .parked: try ParkedGrants(connection: context.connection).page(request)
            case .proposals:
                try ProposedCompensations(connection: context.connection, now: context.now).page(request)
            case .held: try ContestedCompensations(connection: context.connection).page(request)
            case .orphans, .open, .undelivered: nil
            }
        }
    }
}
