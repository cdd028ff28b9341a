import AppStore

/// The apparent kind of a proof of payment; nothing is verified.
enum ProofContent: Equatable {
    case signedData([UInt8])
    /// A PKCS#7 receipt in DER or BER.
    case appReceipt([UInt8])
    /// An iOS 6 receipt, of which only the transaction id is readable.
    case transactionReceipt(transactionID: String)

    /// Accepts a JWS, base64 with or without line breaks, or DER.
    init(_ bytes: [UInt8]) throws(VerificationFailure) {
        if Self.beginsAsReceipt(bytes) {
            self = .appReceipt(bytes)
            return
        }
        let text = Self.withoutSpaceAround(bytes)
        if text.contains(UInt8(ascii: ".")) {
            self = .signedData(Array(text))
            return
        }
        let base64 = String(decoding: text, as: UTF8.self)
        if let receipt = ReceiptText.bytes(ofBase64: base64), Self.beginsAsReceipt(receipt) {
            self = .appReceipt(receipt)
        } else if let id = TransactionReceipt.transactionID(in: base64) {
            self = .transactionReceipt(transactionID: id)
        } else {
            throw VerificationFailure(.malformed, "neither a JWS nor a receipt in base64 or DER")
        }
    }

    /// A SEQUENCE of indefinite or multi-byte length: no text begins like this.
    private static func beginsAsReceipt(_ bytes: [UInt8]) -> Bool {
        bytes.count > 1 && bytes[0] == 0x30 && bytes[1] >= 0x80
    }

    private static func withoutSpaceAround(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var text = bytes.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}
