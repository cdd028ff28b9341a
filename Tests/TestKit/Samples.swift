package import AppStoreSigning
package import Contracts
import Foundation

extension Timestamp {
    /// The present, by the machine's clock.
    package static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}

extension AppStoreSigner {
    /// A server notification about a transaction, both signed.
    package func notification(_ type: String, about transaction: SignedTransaction) throws -> String {
        let data: [String: JSONValue] = [
            "environment": .string(transaction.environment), "bundleId": .string(transaction.bundleId),
            "signedTransactionInfo": .string(try sign(transaction: transaction)),
        ]
        return try notification(type, at: transaction.signedDate, part: "data", data)
    }

    /// A notification of one part, signed at a time in ms since 1970.
    package func notification(
        _ type: String,
        at signedDate: Int64,
        part: String,
        _ members: [String: JSONValue]
    ) throws -> String {
        let payload: [String: JSONValue] = [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": .string("2.0"), "signedDate": .integer(signedDate), part: .object(members),
        ]
        return try sign(payload: Array(try JSONEncoder().encode(JSONValue.object(payload))))
    }
}
