public import CounterfoilClient

/// A StoreKit without Apple, for tests and previews: every purchase is paid, or ends as `outcome` says.
///
/// What is paid and not finished is listed by `unfinished`, as StoreKit does at the next launch: hand the same one to a
/// second client to play a death.
public actor PlayedStoreKit: TransactionSource {
    /// What the next purchases come to; nil if they are paid.
    private var outcome: PurchaseOutcome?
    private var open: [String: SeenTransaction] = [:]
    private var count = 0
    /// What was finished, in this order.
    public private(set) var finished: [String] = []

    /// `unfinished` is what an earlier life has paid.
    public init(unfinished: [SeenTransaction] = [], outcome: PurchaseOutcome? = nil) {
        open = Dictionary(uniqueKeysWithValues: unfinished.map { ($0.transactionID, $0) })
        self.outcome = outcome
    }

    /// Says what the next purchases come to; nil if they are paid.
    public func play(_ outcome: PurchaseOutcome?) { self.outcome = outcome }

    /// Nothing comes by itself.
    public func observe(_ seen: @escaping @Sendable (SeenTransaction) -> Void) {}

    /// What is paid and not finished.
    public func unfinished() -> [SeenTransaction] {
        open.values.sorted { $0.transactionID < $1.transactionID }
    }

    /// Pays at once, with the ids `played-1`, `played-2` and so on.
    public func purchase(
        productID: String,
        appAccountToken: String
    ) throws(PurchaseOutcome) -> SeenTransaction {
        if let outcome { throw outcome }
        count += 1
        let id = "played-\(count)"
        var seen = SeenTransaction(
            transactionID: id,
            content: .signedTransaction("played.\(productID).\(id)")
        )
        (seen.productID, seen.appAccountToken) = (productID, appAccountToken)
        open[id] = seen
        return seen
    }

    /// Nobody owns anything.
    public func restored() -> [SeenTransaction] { [] }

    /// Notes it.
    public func finish(transactionID: String) {
        open[transactionID] = nil
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
