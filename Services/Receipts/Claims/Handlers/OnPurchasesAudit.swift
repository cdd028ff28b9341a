import Contracts
import Delivery
import Domain
import Program

/// `counterfoil.purchases.audit.v1`: which purchases are held by whom, and which have no holder yet.
struct OnPurchasesAudit {
    func callAsFunction(
        _ message: Event<PurchasesAuditV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<PurchasesAuditPage> {
        guard !message.data.isTooLong else { return .refused(.tooManyPurchases) }
        let claims = try PurchaseAuditStore(connection: context.connection).page(message.data)
        let purchases = claims.records.compactMap(\.purchase)
        var page = PurchasesAuditPage(purchases, for: message.data, next: claims.next)
        let outstanding = claims.records.lazy.compactMap { [now = context.now] in $0.outstanding(at: now) }
        page.outstanding = Array(outstanding.prefix(ClaimAudit.maximumOutstanding))
        page.orphans = claims.records.count { $0.state == .orphan }
        return .reply(page)
    }
}
