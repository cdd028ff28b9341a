package import Contracts

/// Gives one customer a longer period of a subscription, unpaid for.
package struct ExtendRenewalDate: AppStoreServerRequest, Encodable, Hashable {
    package static let endpoint = Endpoint.extendRenewalDate

    /// Why.
    package enum Reason: Int, Encodable, Sendable {
        case undeclared = 0, customerSatisfaction = 1, other = 2, serviceOutage = 3
    }

    package var originalTransactionId: TransactionID
    /// 1 to 90 days.
    package var extendByDays: Int
    package var extendReasonCode: Reason
    /// An id of our own, by which Apple knows a repetition; up to 128 characters.
    package var requestIdentifier: String

    package var id: String { originalTransactionId.rawValue }

    private enum CodingKeys: CodingKey {
        case extendByDays, extendReasonCode, requestIdentifier
    }

    /// What became of it.
    package struct Response: Decodable, Hashable, Sendable {
        package var originalTransactionId: String
        package var webOrderLineItemId: String?
        package var success: Bool
        /// The new renewal date.
        package var effectiveDate: Timestamp?
    }
}
