import Contracts
import Delivery

/// `counterfoil.names.audit.v1`: to which chains names belong, and which purchases state them.
struct OnNamesAudit {
    func callAsFunction(
        _ message: Event<NamesAuditV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<NamesAuditPage> {
        guard !message.data.isTooLong else {
            let detail = "A request names at most \(NamesAuditV1.maximumNames) names."
            return .refused(RequestRefusal(.invalid, detail, field: "names"))
        }
        let store = NamesAuditStore(connection: context.connection)
        return .reply(try store.page(message.data, now: context.now))
    }
}
