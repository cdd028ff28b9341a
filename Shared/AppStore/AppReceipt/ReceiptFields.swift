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
