package import Contracts

/// Extends one customer's subscription period for free.
package struct ExtendRenewalDate: AppStoreServerRequest, Encodable, Hashable {
    package static let endpoint = Endpoint.extendRenewalDate

    /// Apple's reason codes.
    package enum Reason: Int, Encodable, Sendable {
        case undeclared = 0, customerSatisfaction = 1, other = 2, serviceOutage = 3
    }

    package var originalTransactionId: TransactionID
    /// 1 to 90 days.
    package var extendByDays: Int
    package var extendReasonCode: Reason
    /// Our id, by which Apple recognises a repetition; up to 128 characters.
    package var requestIdentifier: String

    package var id: String { originalTransactionId.rawValue }

    private enum CodingKeys: CodingKey {
        case extendByDays, extendReasonCode, requestIdentifier
    }

    /// The result of an extension.
    package struct Response: Decodable, Hashable, Sendable {
        package var originalTransactionId: String
        package var webOrderLineItemId: String?
        package var success: Bool
        package var effectiveDate: Timestamp?
    }
}
