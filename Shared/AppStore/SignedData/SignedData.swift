package import Contracts
import Foundation

/// Decoded, unverified signed data of any kind: anybody may have written it.
///
/// For display to a person. A service uses `SignedDataVerifier`, which returns nothing before the signature
/// holds.
package struct SignedData: Sendable {
    package let decoded: DecodedPayload
    let jws: CompactJWS
    let header: JWSHeader

    /// Reads a JWS.
    ///
    /// - Throws: `tooLarge` and `malformed`, also for a field of the wrong type.
    package init(_ bytes: [UInt8]) throws(VerificationFailure) {
        jws = try CompactJWS(bytes, maximumBytes: NotificationPayload.maximumBytes)
        header = try JWSHeader(segment: jws.header)
        guard let kind = SignedDataKind(members: try Self.decode(MemberNames.self, jws.payload).names) else {
            throw VerificationFailure(.malformed, "the payload is of no kind that is known")
        }
        guard kind == .notification || bytes.count <= CompactJWS.maximumBytes else {
            throw .tooLarge(bytes.count, limit: CompactJWS.maximumBytes)
        }
        decoded = try DecodedPayload(kind, json: jws.payload)
    }

    /// The payload with undocumented fields.
    ///
    /// - Throws: `malformed` for a number out of range.
    package func payload() throws(VerificationFailure) -> JSONValue {
        try Self.decode(JSONValue.self, jws.payload)
    }

    package var kind: SignedDataKind { decoded.origin.kind }

    /// The notification's signed item, if present.
    ///
    /// - Throws: as `init`, and `malformed` for an item of another kind.
    package func inner(_ item: SignedItem) throws(VerificationFailure) -> SignedData? {
        guard case .notification(let notification) = decoded, let jws = notification.signed(item) else {
            return nil
        }
        let inner = try SignedData(Array(jws.utf8))
        guard inner.kind == item.kind else {
            throw VerificationFailure(.malformed, "of the kind \(inner.kind), not \(item.kind)")
        }
        return inner
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ json: [UInt8]
    ) throws(VerificationFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch {
            throw VerificationFailure(.malformed, "the payload is no JSON object")
        }
    }
}
