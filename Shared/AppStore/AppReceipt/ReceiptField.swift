import Contracts

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
