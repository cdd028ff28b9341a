/// The key under which a payment is granted once, however many transaction ids Apple gives it.
///
/// A transaction id, or an original transaction id, a colon and a `webOrderLineItemId`; see
/// `Domain/Purchase.swift`. Unique within an app and environment.
package struct PurchaseID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package init(_ transaction: TransactionID) { rawValue = transaction.rawValue }

    /// A subscription period; nil when the result is no valid id.
    package init?(chain: TransactionID, lineItem: String) {
        guard lineItem.isToken(bytes: 1...64) else { return nil }
        rawValue = chain.rawValue + ":" + lineItem
    }

    package static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { String($0).isToken(bytes: 1...64) }
    }
}
