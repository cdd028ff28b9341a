import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: the orders of which something is awaited.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        let request = message.data
        guard DeskListV1.limits.contains(request.limit) else { return .refused(.pageTooLong) }
        guard request.list == .open else { return .reply(DeskPage(rows: [], hasMore: false)) }
        return .reply(try OpenOrders(connection: context.connection).page(request))
    }
}
