package import Contracts

/// A payload that Apple signs: a transaction, a renewal, a notification.
package protocol SignedPayload: Decodable, Sendable {
    static var maximumBytes: Int { get }

    var signingTime: Timestamp? { get }

    var origin: SignedOrigin { get }

    static func failure(decoding error: DecodingError) -> VerificationFailure
}

extension SignedPayload {
    /// Enough for a payload without other signed data.
    package static var maximumBytes: Int { CompactJWS.maximumBytes }

    /// Apple signed it, but this program cannot read it.
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

    /// Without a transaction id it is another kind of payload and proves no payment; with one it is an
    /// unreadable payment.
    package static func failure(decoding error: DecodingError) -> VerificationFailure {
        if case .keyNotFound(let key, _) = error, key.stringValue == "transactionId" {
            return VerificationFailure(.malformed, "signed by Apple, but not a transaction")
        }
        return VerificationFailure(.unreadable, error.oneLine)
    }
}

extension DecodingError {
    /// The field and its error; never the value.
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
