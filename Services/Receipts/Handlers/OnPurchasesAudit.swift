import Contracts
import Delivery
import Domain

/// `counterfoil.purchases.audit.v1`: which purchases are held by whom, and which have no holder yet.
struct OnPurchasesAudit {
    func callAsFunction(
        _ message: Event<PurchasesAuditV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<PurchasesAuditPage> {
        guard !message.data.isTooLong else { return .refused(.tooManyPurchases) }
        let range = try PurchaseRange(message.data, in: "claim", of: context.connection)
        let claims = try PurchaseAuditStore(connection: context.connection).claims(in: range)
        var page = PurchasesAuditPage(claims.compactMap(\.purchase), for: message.data, next: range.next)
        let unsettled = claims.lazy.compactMap { [now = context.now] in $0.unsettled(at: now) }
        page.unsettled = Array(unsettled.prefix(ClaimAudit.maximumUnsettled))
        page.orphans = claims.count { $0.state == .orphan }
        return .reply(page)
    }
}
