import Contracts

/// Asks what a customer bought.
struct HistoryQuery: Codable, Equatable, Sendable {
    let environment: Environment
    let transactionId: TransactionID
    /// Only purchases since then; nil for all.
    var since: Timestamp?
    /// Apple's token for the next page; nil for the first.
    var page: String?
    /// Whether the statuses of the customer's subscriptions are asked, too.
    var asksStatuses: Bool?
}

extension HistoryQuery {
    /// Clock tolerance for purchases before an order, ms.
    private static let clockMilliseconds: Int64 = 3_600_000

    /// Asks what the buyer of a long-open order bought; nil if no key is configured.
    init?(_ lookup: PaymentLookupV1, policy: AppPolicy?) {
        guard policy?.apis.contains(.serverAPI) == true else { return nil }
        self.init(
            environment: lookup.environment,
            transactionId: lookup.transactionId,
            since: lookup.since.advanced(by: -Self.clockMilliseconds)
        )
    }
}
