import Contracts
import Delivery
import Domain
import Program

/// `counterfoil.purchases.audit.v1`: what the ledger has made of which purchases.
struct OnPurchasesAudit {
    func callAsFunction(
        _ message: Event<PurchasesAuditV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<PurchasesAuditPage> {
        guard !message.data.isTooLong else { return .refused(.tooManyPurchases) }
        let store = PurchaseAuditStore(connection: context.connection)
        let grants = try store.page(message.data)
        // Of a compensation neither Receipts nor Orders knows.
        let held = grants.records.filter { !$0.hasLeft }.map(\.purchase)
            .filter { !$0.purchaseId.isCompensation }
        var page = PurchasesAuditPage(held, for: message.data, next: grants.next)
        if !LedgerAudit.holds(grants.records, entries: try store.entries(of: grants)) {
            page.differences = LedgerAudit.differences(grants.records, given: try store.given(grants))
        }
        return .reply(page)
    }
}
