package import Contracts

/// Tells Apple, which decides on a refund, what the buyer got and used; within 12 hours of being asked, and only
/// with the buyer's consent.
package struct SendConsumptionInformation: AppStoreServerRequest, Hashable {
    /// Only the status counts.
    package typealias Answer = NoAnswer
    package static let endpoint = Endpoint.consumption

    /// Whether the goods arrived.
    package enum DeliveryStatus: String, Encodable, Sendable {
        case delivered = "DELIVERED"
        case undeliveredQualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case undeliveredWrongItem = "UNDELIVERED_WRONG_ITEM"
        case undeliveredServerOutage = "UNDELIVERED_SERVER_OUTAGE"
        case undeliveredOther = "UNDELIVERED_OTHER"
    }

    /// What the seller would like to become of it.
    package enum RefundPreference: String, Encodable, Sendable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    /// What is told.
    package struct Information: Encodable, Hashable, Sendable {
        /// Must be true, or Apple refuses it (4000035).
        package var customerConsented: Bool
        package var deliveryStatus: DeliveryStatus
        /// Whether the buyer could try it before.
        package var sampleContentProvided: Bool
        /// Milliunits of a percent, 0 to 100,000; not for auto-renewable subscriptions (4000209).
        package var consumptionPercentage: Int?
        package var refundPreference: RefundPreference?

        package init(
            customerConsented: Bool,
            deliveryStatus: DeliveryStatus,
            sampleContentProvided: Bool
        ) {
            self.customerConsented = customerConsented
            self.deliveryStatus = deliveryStatus
            self.sampleContentProvided = sampleContentProvided
        }
    }

    package var transactionId: TransactionID
    package var information: Information
    package var id: String { transactionId.rawValue }

    package init(_ information: Information, of transactionId: TransactionID) {
        self.transactionId = transactionId
        self.information = information
    }

    /// What is told.
    package func body() throws -> [UInt8]? { try RequestBody.json(information) }
}
