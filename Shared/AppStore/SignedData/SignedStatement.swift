package import Contracts
import Foundation

/// What signed data says, by its kind.
package enum SignedStatement: Hashable, Sendable {
    case transaction(TransactionPayload)
    case renewalInfo(RenewalInfoPayload)
    case appTransaction(AppTransactionPayload)
    case notification(NotificationPayload)

    /// For whom it was signed, and of which kind it is.
    package var origin: SignedOrigin {
        switch self {
        case .transaction(let payload): payload.origin
        case .renewalInfo(let payload): payload.origin
        case .appTransaction(let payload): payload.origin
        case .notification(let payload): payload.origin
        }
    }

    /// When it was signed, where it says so.
    package var signingTime: Timestamp? {
        switch self {
        case .transaction(let payload): payload.signingTime
        case .renewalInfo(let payload): payload.signingTime
        case .appTransaction(let payload): payload.signingTime
        case .notification(let payload): payload.signingTime
        }
    }

    init(_ kind: SignedDataKind, json: [UInt8]) throws(VerificationFailure) {
        self =
            switch kind {
            case .transaction: .transaction(try Self.decode(json))
            case .renewalInfo: .renewalInfo(try Self.decode(json))
            case .appTransaction: .appTransaction(try Self.decode(json))
            case .notification: .notification(try Self.decode(json))
            }
    }

    private static func decode<Payload: SignedPayload>(
        _ json: [UInt8]
    ) throws(VerificationFailure) -> Payload {
        do {
            return try JSONDecoder().decode(Payload.self, from: Data(json))
        } catch let error as DecodingError {
            throw VerificationFailure(.malformed, error.oneLine)
        } catch {
            throw VerificationFailure(.malformed, "the payload cannot be read")
        }
    }
}
