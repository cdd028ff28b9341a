import Contracts

/// One field of a receipt by Apple's number for it: `SEQUENCE { type, version, value OCTET STRING }`.
package struct ReceiptAttribute: Hashable, Sendable {
    package let type: Int
    /// What the octet string holds, mostly DER.
    package let value: [UInt8]
}

struct ReceiptFields {
    private var reader: BERReader

    /// Reads a `SET OF ReceiptAttribute`, which some writers put into an octet string.
    init(_ bytes: ArraySlice<UInt8>) throws(VerificationFailure) {
        var outer = BERReader(bytes)
        let value = try outer.next()
        try outer.requireEnd()
        guard value.tag == .octetString || value.tag == .octetStringInParts else {
            guard value.tag == .set else { throw .malformedBER("the content is no set of fields") }
            reader = value.reader
            return
        }
        var inner = BERReader(try value.octets())
        reader = try inner.next(.set).reader
    }

    mutating func next() throws(VerificationFailure) -> ReceiptField? {
        guard !reader.isAtEnd else { return nil }
        var parts = try reader.next(.sequence).reader
        guard let type = try parts.next(.integer).integer, let number = Int32(exactly: type) else {
            throw .malformedBER("a field without a number")
        }
        _ = try parts.next(.integer)
        return ReceiptField(type: Int(number), value: try parts.next().octets())
    }
}

/// One field; a value of the wrong type makes the receipt unreadable, as ignoring a cancellation would grant
/// a refund.
struct ReceiptField {
    let type: Int
    let value: ArraySlice<UInt8>

    var attribute: ReceiptAttribute { ReceiptAttribute(type: type, value: Array(value)) }

    func integer() throws(VerificationFailure) -> Int64 {
        guard let integer = try content().integer else { throw unreadable("whole number") }
        return integer
    }

    func flag() throws(VerificationFailure) -> Bool { try integer() != 0 }

    func text() throws(VerificationFailure) -> String {
        guard let text = try content().text else { throw unreadable("text") }
        return text
    }

    func textUnlessEmpty() throws(VerificationFailure) -> String? {
        let text = try text()
        return text.isEmpty ? nil : text
    }

    func date() throws(VerificationFailure) -> Timestamp? {
        guard let text = try textUnlessEmpty() else { return nil }
        guard let date = Timestamp(receiptDate: text) else { throw unreadable("date") }
        return date
    }

    private func content() throws(VerificationFailure) -> BERValue {
        var reader = BERReader(value)
        return try reader.next()
    }

    private func unreadable(_ kind: String) -> VerificationFailure {
        VerificationFailure(.malformed, "the receipt's field \(type) is no \(kind)")
    }
}
