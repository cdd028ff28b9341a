/// What was paid for once, however many transaction ids Apple gives it: the key under which it is granted once.
///
/// A transaction id, or an original transaction id, a colon and a `webOrderLineItemId`; Domain says which. Unique
/// within an app and environment.
package struct PurchaseID: TextIdentifier {
    package let rawValue: String

    package init(unchecked rawValue: String) { self.rawValue = rawValue }

    package init(_ transaction: TransactionID) { rawValue = transaction.rawValue }

    /// A period of a subscription: its chain, and what Apple's bill calls it; nil when that is no id.
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
