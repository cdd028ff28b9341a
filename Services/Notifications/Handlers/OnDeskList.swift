import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: the webhooks that wait for the app's server.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        let request = message.data
        guard DeskListV1.limits.contains(request.limit) else { return .refused(.pageTooLong) }
        guard request.list == .undelivered else { return .reply(DeskPage(rows: [], hasMore: false)) }
        return .reply(try UndeliveredWebhooks(connection: context.connection).page(request))
    }
}
