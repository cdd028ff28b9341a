import Contracts

/// The iOS 6 receipt of one transaction, a NeXT property list in base64; its signature can no longer be
/// checked.
package enum TransactionReceipt {
    /// Apple's have about 4,000 bytes.
    package static let maximumBytes = 64 * 1_024

    /// The transaction id in a receipt in base64; nil when it is no such receipt.
    package static func transactionID(in text: String) -> String? { purchase(in: text)?.transactionId }

    /// The purchase in a base64 receipt, as far as it can be read; nil when it is no such receipt.
    package static func purchase(in text: String) -> UnverifiedPurchase? {
        guard text.utf8.count <= maximumBytes, let list = ReceiptText.bytes(ofBase64: text),
            let encoded = NeXTPropertyList(list)["purchase-info"],
            let information = ReceiptText.bytes(ofBase64: encoded)
        else { return nil }
        let fields = NeXTPropertyList(information)
        guard let id = fields["transaction-id"] else { return nil }
        var purchase = UnverifiedPurchase(transactionId: id)
        purchase.originalTransactionId = fields["original-transaction-id"]
        purchase.productId = fields["product-id"]
        purchase.bundleId = fields["bid"]
        purchase.purchaseDate = fields.moment("purchase-date")
        purchase.originalPurchaseDate = fields.moment("original-purchase-date")
        purchase.quantity = fields["quantity"].flatMap { Int($0) }
        return purchase
    }
}

extension TransactionReceipt {
    static func isList(_ bytes: [UInt8]) -> Bool {
        let space = Array(" \t\r\n".utf8)
        return bytes.first { !space.contains($0) } == UInt8(ascii: "{")
    }

    static func signedParts(of receipt: [UInt8]) -> (information: [UInt8], signature: [UInt8])? {
        guard receipt.count <= maximumBytes else { return nil }
        let list = NeXTPropertyList(receipt)
        guard let information = list["purchase-info"].flatMap(ReceiptText.bytes(ofBase64:)),
            let signature = list["signature"].flatMap(ReceiptText.bytes(ofBase64:))
        else { return nil }
        return (information, signature)
    }
}

/// A NeXT property list, `{ "name" = "value"; … }`, read in one pass.
private struct NeXTPropertyList {
    private let strings: [ArraySlice<UInt8>]

    /// Names and values are in quotes; the text between has no meaning in these lists.
    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        strings = stride(from: 1, to: parts.count - 1, by: 2).map { parts[$0] }
    }

    /// Nil where it is empty, too.
    subscript(name: String) -> String? {
        for place in stride(from: 0, to: strings.count - 1, by: 2)
        where strings[place].elementsEqual(name.utf8) && !strings[place + 1].isEmpty {
            return String(validating: strings[place + 1], as: UTF8.self)
        }
        return nil
    }

    /// `…-ms` if present, or the field itself in seconds.
    func moment(_ name: String) -> Timestamp? {
        if let milliseconds = self["\(name)-ms"].flatMap({ Int64($0) }) {
            return Timestamp(milliseconds: milliseconds)
        }
        return self[name].flatMap(Timestamp.init(inGMT:))
    }
}
