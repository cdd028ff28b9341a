import Contracts
import Delivery
import Domain

/// `counterfoil.purchases.audit.v1`: what the ledger has made of which purchases.
struct OnPurchasesAudit {
    func callAsFunction(
        _ message: Event<PurchasesAuditV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<PurchasesAuditPage> {
        guard !message.data.isTooLong else { return .refused(.tooManyPurchases) }
        let range = try PurchaseRange(message.data, in: "grants", of: context.connection)
        let store = PurchaseAuditStore(connection: context.connection)
        let grants = try store.grants(in: range)
        let held = grants.filter { !$0.hasLeft }.map(\.purchase)
        var page = PurchasesAuditPage(held, for: message.data, next: range.next)
        page.differences = LedgerAudit.differences(grants, given: try store.given(in: range))
        return .reply(page)
    }
}
