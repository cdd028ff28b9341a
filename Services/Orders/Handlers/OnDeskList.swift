import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: the orders of which something is awaited.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        try .page(of: message.data) { request in
            request.list == .open ? try OpenOrders(connection: context.connection).page(request) : nil
        }
    }
}
