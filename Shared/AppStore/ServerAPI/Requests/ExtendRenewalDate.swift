package import Contracts

/// Gives one customer a longer period of a subscription, unpaid for.
package struct ExtendRenewalDate: AppStoreServerRequest, Hashable {
    package static let endpoint = Endpoint.extendRenewalDate

    /// Why.
    package enum Reason: Int, Encodable, Sendable {
        case undeclared = 0, customerSatisfaction = 1, other = 2, serviceOutage = 3
    }

    package var originalTransactionId: TransactionID
    /// 1 to 90 days.
    package var days: Int
    package var reason: Reason
    /// An id of our own, by which Apple knows a repetition; up to 128 characters.
    package var requestIdentifier: String
    package var id: String { originalTransactionId.rawValue }

    package init(
        _ originalTransactionId: TransactionID,
        days: Int,
        reason: Reason,
        requestIdentifier: String
    ) {
        self.originalTransactionId = originalTransactionId
        self.days = days
        self.reason = reason
        self.requestIdentifier = requestIdentifier
    }

    /// Days, reason and id.
    package func body() throws -> [UInt8]? {
        try RequestBody.json(
            Fields(extendByDays: days, extendReasonCode: reason, requestIdentifier: requestIdentifier)
        )
    }

    private struct Fields: Encodable {
        let extendByDays: Int
        let extendReasonCode: Reason
        let requestIdentifier: String
    }

    /// What became of it.
    package struct Answer: Decodable, Hashable, Sendable {
        package var originalTransactionId: String
        package var webOrderLineItemId: String?
        package var success: Bool
        /// The new renewal date.
        package var effectiveDate: Timestamp?
    }
}
