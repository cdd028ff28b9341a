public import CounterfoilClient

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A StoreKit without Apple, for tests and previews: every purchase is paid, or ends as `outcome` says.
///
/// What is paid and not finished is listed by `unfinished`, as StoreKit does at the next launch: hand the same one to a
/// second client to play a death.
public actor PlayedStoreKit: TransactionSource {
    /// What the next purchases come to; nil if they are paid.
    private var outcome: PurchaseOutcome?
    private var open: [SeenTransaction]
    /// What was finished, in this order.
    public private(set) var finished: [String] = []

    /// `unfinished` is what an earlier life has paid.
    public init(unfinished: [SeenTransaction] = [], outcome: PurchaseOutcome? = nil) {
        open = unfinished
        self.outcome = outcome
    }

    /// Says what the next purchases come to; nil if they are paid.
    public func play(_ outcome: PurchaseOutcome?) { self.outcome = outcome }

    /// Nothing comes by itself.
    public func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) {}

    /// What is paid and not finished, in this order.
    public func unfinished() -> [SeenTransaction] { open }

    /// Pays at once; no two transactions have the same id, also not in another life of the process.
    public func purchase(
        productID: String,
        appAccountToken: String
    ) throws(PurchaseOutcome) -> SeenTransaction {
        if let outcome { throw outcome }
        let id = "played-\(UUID().uuidString.lowercased())"
        var seen = SeenTransaction(
            transactionID: id,
            content: .signedTransaction("played.\(productID).\(id)")
        )
        (seen.productID, seen.appAccountToken) = (productID, appAccountToken)
        open.append(seen)
        return seen
    }

    /// Nobody owns anything.
    public func restored() -> [SeenTransaction] { [] }

    /// Notes it.
    public func finish(transactionID: String) {
        open.removeAll { $0.transactionID == transactionID }
        finished.append(transactionID)
    }

    /// There is no receipt.
    public func refreshedReceipt() -> SeenTransaction? { nil }

    /// It may.
    public func canMakePayments() -> Bool { true }

    /// Everything has the same price.
    public func prices(of productIDs: [String]) -> [StorePrice]? {
        productIDs.map { StorePrice(productID: $0, displayName: $0, displayPrice: "0.99") }
    }
}
