import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: the webhooks that wait for the app's server.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        try .page(of: message.data) { request in
            guard request.list == .undelivered else { return nil }
            return try UndeliveredWebhooks(connection: context.connection).page(request)
        }
    }
}
