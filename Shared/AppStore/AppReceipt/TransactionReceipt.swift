import Contracts
import Domain

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

/// Receipts as text, as phones send them.
package enum ReceiptText {
    /// Whether bytes begin as CMS signed data (RFC 5652 §3).
    package static func isSignedData(_ receipt: [UInt8]) -> Bool {
        let contents = CMSIdentifier.signedData.contents
        let mark: [UInt8] = [0x06, UInt8(contents.count)] + contents
        let head = receipt.prefix(longestHead)
        return head.first == 0x30 && head.indices.contains { head[$0...].starts(with: mark) }
    }

    private static let longestHead = 32

    /// The bytes of a base64 receipt, with or without line breaks and padding; nil when it is none.
    ///
    /// The URL alphabet and spaces instead of `+` are accepted: a transport's changes must not cost a
    /// payment.
    package static func bytes(ofBase64 text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { utf8 in
            if utf8.isEmpty { return nil }
            if let bytes = Base64.standard.decode(utf8) { return bytes }
            let solid = solid(utf8)
            return solid.isEmpty ? nil : Base64.standard.decode(solid[...])
        }
    }

    /// The base64 without a transport's changes.
    private static func solid(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: text.count + 3) { solid, count in
            for byte in text {
                switch byte {
                case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
                case UInt8(ascii: " "), UInt8(ascii: "-"): solid[count] = UInt8(ascii: "+")
                case UInt8(ascii: "_"): solid[count] = UInt8(ascii: "/")
                default: solid[count] = byte
                }
                count += 1
            }
            while !count.isMultiple(of: 4) {
                solid[count] = UInt8(ascii: "=")
                count += 1
            }
        }
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
