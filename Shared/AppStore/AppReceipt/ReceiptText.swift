import Domain

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
