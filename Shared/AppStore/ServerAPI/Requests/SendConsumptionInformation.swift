package import Contracts

/// Tells Apple, within 12 hours of its question and with consent, what a buyer who wants a refund got and
/// used.
package struct SendConsumptionInformation: AppStoreServerRequest, Encodable, Hashable {
    /// Only the status counts.
    package typealias Response = NoResponse
    package static let endpoint = Endpoint.consumption

    /// Whether the goods arrived; Apple has more words, which nobody here says.
    package enum DeliveryStatus: String, Encodable, Sendable {
        case delivered = "DELIVERED"
        case undeliveredOther = "UNDELIVERED_OTHER"
    }

    /// The decision that the seller prefers, as far as a policy can say it.
    package enum RefundPreference: String, Encodable, Sendable {
        case decline = "DECLINE"
        case grantProrated = "GRANT_PRORATED"
    }

    package var transactionId: TransactionID
    /// Must be true, or Apple refuses it (4000035).
    package var customerConsented: Bool
    package var deliveryStatus: DeliveryStatus
    package var sampleContentProvided: Bool
    /// Milliunits of a percent, 0 to 100,000; not for auto-renewable subscriptions (4000209).
    package var consumptionPercentage: Int?
    package var refundPreference: RefundPreference?

    package var id: String { transactionId.rawValue }

    package init(
        transactionId: TransactionID,
        customerConsented: Bool,
        deliveryStatus: DeliveryStatus,
        sampleContentProvided: Bool,
        consumptionPercentage: Int? = nil,
        refundPreference: RefundPreference? = nil
    ) {
        self.transactionId = transactionId
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }

    private enum CodingKeys: CodingKey {
        case customerConsented, deliveryStatus, sampleContentProvided, consumptionPercentage, refundPreference
    }
}
