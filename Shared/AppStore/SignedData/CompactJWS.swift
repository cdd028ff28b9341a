/// A JWS in compact form (RFC 7515 §7.1), cut into its three segments; nothing is checked but the shape.
struct CompactJWS {
    /// Bytes of the longest signed data taken.
    ///
    /// Apple's transactions have 5,000 to 5,400; the rest is room for the
    /// descriptions and items of Advanced Commerce.
    static let maximumBytes = 32 * 1_024

    /// Bytes of an ES256 signature: r and s, 32 each (RFC 7518 §3.4).
    static let signatureBytes = 64

    /// The first segment as it came, still base64url: with Apple, the same bytes for weeks.
    let header: ArraySlice<UInt8>
    /// The bytes that were signed: first segment, dot, second segment.
    let signingInput: ArraySlice<UInt8>
    /// The JSON of the second segment.
    let payload: [UInt8]
    let signature: [UInt8]

    init(_ bytes: [UInt8]) throws(VerificationFailure) {
        guard bytes.count <= Self.maximumBytes else {
            throw VerificationFailure(
                .tooLarge,
                "\(bytes.count) bytes, at most \(Self.maximumBytes) are taken"
            )
        }
        let segments = bytes.split(
            separator: UInt8(ascii: "."),
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard segments.count == 3 else {
            throw VerificationFailure(.malformed, "not three segments with dots between them")
        }
        header = segments[0]
        signingInput = bytes[..<segments[1].endIndex]
        payload = try Self.decode(segments[1], "payload")
        signature = try Self.decode(segments[2], "signature")
        guard signature.count == Self.signatureBytes else {
            throw VerificationFailure(.malformed, "the signature has \(signature.count) bytes, not 64")
        }
    }

    private static func decode(
        _ segment: ArraySlice<UInt8>,
        _ name: String
    ) throws(VerificationFailure) -> [UInt8] {
        guard !segment.isEmpty, let bytes = Base64.url.decode(segment) else {
            throw VerificationFailure(.malformed, "the \(name) segment is not base64url")
        }
        return bytes
    }
}
