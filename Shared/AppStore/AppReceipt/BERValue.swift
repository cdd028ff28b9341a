struct BERValue {
    /// Limit of nested parts of one octet string; Xcode writes one level.
    static let maximumPartDepth = 4

    let tag: BERTag
    /// Without the end-of-contents octets of the indefinite form.
    let contents: ArraySlice<UInt8>
    /// Tag and length included.
    let encoding: ArraySlice<UInt8>

    var reader: BERReader { BERReader(contents) }

    /// The octets of an OCTET STRING, which BER may cut into parts (X.690 §8.7.3).
    func octets() throws(VerificationFailure) -> ArraySlice<UInt8> {
        if tag == .octetString { return contents }
        var joined: [UInt8] = []
        try append(to: &joined, depth: 1)
        return joined[...]
    }

    private func append(to joined: inout [UInt8], depth: Int) throws(VerificationFailure) {
        guard tag != .octetString else {
            joined += contents
            return
        }
        guard tag == .octetStringInParts else { throw .malformedBER("another type than expected") }
        guard depth <= Self.maximumPartDepth else { throw .malformedBER("nested too deeply") }
        var parts = reader
        while !parts.isAtEnd { try parts.next().append(to: &joined, depth: depth + 1) }
    }

    var integer: Int64? {
        guard tag == .integer, let first = contents.first, contents.count <= 8 else { return nil }
        let start: Int64 = first & 0x80 == 0 ? 0 : -1
        return contents.reduce(start) { $0 << 8 | Int64($1) }
    }

    var text: String? {
        guard tag == .utf8String || tag == .ia5String || tag == .printableString else { return nil }
        return String(validating: contents, as: UTF8.self)
    }
}
