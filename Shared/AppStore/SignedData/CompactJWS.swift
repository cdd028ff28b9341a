import Domain
import Glibc

/// A JWS in compact form (RFC 7515 §7.1) in its three segments; only the shape is checked.
struct CompactJWS {
    /// For all but notifications.
    static let maximumBytes = Limits.jwsBytes

    /// r and s, 32 bytes each (RFC 7518 §3.4).
    static let signatureBytes = 64

    /// Still base64url: Apple sends the same bytes for weeks.
    let header: ArraySlice<UInt8>
    let signingInput: ArraySlice<UInt8>
    let payload: [UInt8]
    let signature: [UInt8]

    init(_ bytes: [UInt8], maximumBytes: Int) throws(VerificationFailure) {
        guard bytes.count <= maximumBytes else {
            throw .tooLarge(bytes.count, limit: maximumBytes)
        }
        guard let first = Self.dot(in: bytes, from: 0), let second = Self.dot(in: bytes, from: first + 1),
            Self.dot(in: bytes, from: second + 1) == nil
        else {
            throw VerificationFailure(.malformed, "not three segments with dots between them")
        }
        header = bytes[..<first]
        signingInput = bytes[..<second]
        payload = try Self.decode(bytes[(first + 1)..<second], "payload")
        signature = try Self.decode(bytes[(second + 1)...], "signature")
        guard signature.count == Self.signatureBytes else {
            throw VerificationFailure(.malformed, "the signature has \(signature.count) bytes, not 64")
        }
    }

    /// Uses `memchr`, as up to 18,000 bytes come before the dot.
    private static func dot(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let dot = memchr(base + start, Int32(UInt8(ascii: ".")), buffer.count - start)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(dot))
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
