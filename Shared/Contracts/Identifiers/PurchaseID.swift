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
        text.withBytes { utf8 in
            let colon = utf8.firstIndex(of: UInt8(ascii: ":")) ?? utf8.endIndex
            return isToken(utf8[..<colon]) && (colon == utf8.endIndex || isToken(utf8[(colon + 1)...]))
        }
    }

    private static func isToken(_ utf8: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        (1...64).contains(utf8.count) && utf8.allSatisfy(String.isTokenByte)
    }
}
