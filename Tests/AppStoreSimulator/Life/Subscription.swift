import Contracts

/// An auto-renewable subscription as it stands, and what is to happen at its next renewal.
struct Subscription: Codable, Sendable {
    enum Status: Int, Codable, CaseIterable, Sendable {
        case active = 1
        case expired = 2
        case billingRetry = 3
        case gracePeriod = 4
        case revoked = 5
    }

    enum ExpirationIntent: Int, Codable, Sendable {
        case cancelled = 1
        case billingError = 2
        case priceIncrease = 3
        case productNotForSale = 4
    }

    let originalTransactionId: String
    let environment: String
    let group: String
    var status = Status.active
    var latestTransactionId: String
    var period: BillingPeriod
    /// When the latest time without interruption began, in milliseconds since 1970.
    var startDate: Int64
    var renewalDate: Int64
    var renewalProductId: String
    var renewalPrice: Int64
    var currency: String
    var isAutoRenewing = true
    /// Whether another commitment of 12 months follows; nil outside of one, in which the next period is always paid.
    var isCommitmentRenewing: Bool?
    var expirationIntent: ExpirationIntent?
    var gracePeriodExpiresDate: Int64?
    /// Apple's `priceIncreaseStatus`: 0 not answered yet, 1 accepted.
    var priceIncreaseStatus: Int?
    /// When the renewal date was extended, in milliseconds since 1970.
    var extensions: [Int64] = []

    init(_ first: SignedTransaction, period: BillingPeriod) {
        originalTransactionId = first.originalTransactionId
        environment = first.environment
        group = first.subscriptionGroupIdentifier ?? "default"
        latestTransactionId = first.transactionId
        self.period = period
        startDate = first.purchaseDate
        renewalDate = first.expiresDate ?? period.end(from: first.purchaseDate)
        renewalProductId = first.productId
        renewalPrice = first.price ?? 0
        currency = first.currency ?? "USD"
        isCommitmentRenewing = first.billingPlanType == Commitment.plan ? true : nil
    }
}
