package import Contracts
import Foundation

/// The payload of signed data, by kind.
package enum DecodedPayload: Hashable, Sendable {
    case transaction(TransactionPayload)
    case renewalInfo(RenewalInfoPayload)
    case appTransaction(AppTransactionPayload)
    case notification(NotificationPayload)

    private var payload: any SignedPayload {
        switch self {
        case .transaction(let payload): payload
        case .renewalInfo(let payload): payload
        case .appTransaction(let payload): payload
        case .notification(let payload): payload
        }
    }

    package var origin: SignedOrigin { payload.origin }
    package var signingTime: Timestamp? { payload.signingTime }

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
