import Contracts
import Delivery
import Domain
import Program

/// `counterfoil.purchases.audit.v1`: which purchases have paid orders, and what came of them.
struct OnPurchasesAudit {
    func callAsFunction(
        _ message: Event<PurchasesAuditV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<PurchasesAuditPage> {
        guard !message.data.isTooLong else { return .refused(.tooManyPurchases) }
        let paid = try PurchaseAuditStore(connection: context.connection).page(message.data)
        var page = PurchasesAuditPage(paid.records.map(\.purchase), for: message.data, next: paid.next)
        let outstanding = paid.records.lazy.compactMap { [now = context.now] in
            OrderAudit.outstanding($0.purchase, paidAt: $0.paidAt, at: now)
        }
        page.outstanding = Array(outstanding.prefix(OrderAudit.maximumOutstanding))
        return .reply(page)
    }
}
