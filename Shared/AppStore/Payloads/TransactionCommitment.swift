package import Contracts

/// Where a transaction stands in a commitment that is billed in parts (`commitmentInfo` of a transaction).
package struct TransactionCommitment: Codable, Hashable, Sendable {
    package var billingPeriodNumber: Int?
    package var totalBillingPeriods: Int?
    package var commitmentExpiresDate: Milliseconds?
    /// Milliunits of the transaction's currency.
    package var commitmentPrice: Int64?
}
