package import Contracts

/// What Apple signs: a transaction, a renewal, a notification.
package protocol SignedPayload: Decodable, Sendable {
    /// Bytes of the longest JWS that is taken for one of this kind.
    static var maximumBytes: Int { get }

    /// The moment of the signature, where the payload names it.
    var signingTime: Timestamp? { get }

    /// App and environment, as far as the payload names them.
    var origin: SignedOrigin { get }

    /// What it means that genuine data of Apple's did not decode as this payload.
    static func failure(decoding error: DecodingError) -> VerificationFailure
}

extension SignedPayload {
    /// Enough for anything that carries no other signed data.
    package static var maximumBytes: Int { CompactJWS.maximumBytes }

    /// What Apple signed and this program cannot read.
    package static func failure(decoding error: DecodingError) -> VerificationFailure {
        VerificationFailure(.unreadable, error.oneLine)
    }
}

extension SignedTransaction: SignedPayload {
    package var signingTime: Timestamp? { Timestamp(milliseconds: signedDate) }

    /// The app that sold it.
    package var origin: SignedOrigin {
        SignedOrigin(.transaction, bundleId: bundleId, environment: environment)
    }

    /// Without a transaction id it is some other payload of Apple's, and proves no payment; with one it is
    /// a payment that this program cannot read.
    package static func failure(decoding error: DecodingError) -> VerificationFailure {
        if case .keyNotFound(let key, _) = error, key.stringValue == "transactionId" {
            return VerificationFailure(.malformed, "signed by Apple, but not a transaction")
        }
        return VerificationFailure(.unreadable, error.oneLine)
    }
}

extension DecodingError {
    /// Which field, and what is wrong with it; never the value.
    var oneLine: String {
        switch self {
        case .keyNotFound(let key, _): "the field \(key.stringValue) is missing"
        case .typeMismatch(let type, let context): "the field \(Self.path(context)) is no \(type)"
        case .valueNotFound(_, let context): "the field \(Self.path(context)) is null"
        case .dataCorrupted(let context): "the field \(Self.path(context)) cannot be read"
        @unknown default: "a field cannot be read"
        }
    }

    private static func path(_ context: Context) -> String {
        context.codingPath.isEmpty ? "(all)" : context.codingPath.map(\.stringValue).joined(separator: ".")
    }
}
