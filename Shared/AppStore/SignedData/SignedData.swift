package import Contracts
import FoundationEssentials

/// Decoded, unverified signed data of any kind: anybody may have written it.
///
/// For display to a person. A service uses `SignedDataVerifier`, which returns nothing before the signature
/// holds.
package struct SignedData: Sendable {
    package let kind: SignedDataKind
    package let decoded: any SignedPayload
    let jws: CompactJWS
    let header: JWSHeader

    /// Reads a JWS.
    ///
    /// - Throws: `tooLarge` and `malformed`, also for a field of the wrong type.
    package init(_ bytes: [UInt8]) throws(VerificationFailure) {
        jws = try CompactJWS(bytes, maximumBytes: ServerNotificationPayload.maximumBytes)
        header = try JWSHeader(segment: jws.header)
        let members = try Self.decode(MemberNames.self, jws.payload).names
        guard let kind = SignedDataKind(members: members) else {
            throw VerificationFailure(.malformed, "the payload is of no kind that is known")
        }
        guard bytes.count <= kind.payload.maximumBytes else {
            throw .tooLarge(bytes.count, limit: kind.payload.maximumBytes)
        }
        self.kind = kind
        decoded = try Self.decode(kind.payload, jws.payload) { error in
            (error as? DecodingError)?.oneLine ?? "the payload cannot be read"
        }
    }

    /// The payload with undocumented fields.
    ///
    /// - Throws: `malformed` for a number out of range.
    package func payload() throws(VerificationFailure) -> JSONValue {
        try Self.decode(JSONValue.self, jws.payload)
    }

    /// The notification's signed item, if present.
    ///
    /// - Throws: as `init`, and `malformed` for an item of another kind.
    package func inner(_ item: SignedItem) throws(VerificationFailure) -> SignedData? {
        guard let jws = (decoded as? ServerNotificationPayload)?.signed(item) else { return nil }
        let inner = try SignedData(Array(jws.utf8))
        guard inner.kind == item.kind else {
            throw VerificationFailure(.malformed, "of the kind \(inner.kind), not \(item.kind)")
        }
        return inner
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        _ json: [UInt8],
        _ detail: (any Error) -> String = { _ in "the payload is no JSON object" }
    ) throws(VerificationFailure) -> Value {
        do {
            return try EventDecoder().decode(type, from: json)
        } catch {
            throw VerificationFailure(.malformed, detail(error))
        }
    }
}

extension SignedDataKind {
    fileprivate var payload: any SignedPayload.Type {
        switch self {
        case .transaction: TransactionPayload.self
        case .renewalInfo: RenewalInfoPayload.self
        case .appTransaction: AppTransactionPayload.self
        case .notification: ServerNotificationPayload.self
        }
    }
}
