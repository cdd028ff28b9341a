package import Contracts
package import Foundation

/// Sets the token of a purchase made outside the app and of its later renewals.
package struct SetAppAccountToken: AppStoreServerRequest, Hashable {
    /// Only the status counts.
    package typealias Response = NoResponse
    package static let endpoint = Endpoint.appAccountToken

    package var originalTransactionId: TransactionID
    package var appAccountToken: UUID
    package var id: String { originalTransactionId.rawValue }

    /// The token in lower case, as StoreKit writes it.
    package func body() throws -> [UInt8]? {
        try RequestBody.json(["appAccountToken": appAccountToken.uuidString.lowercased()])
    }
}
