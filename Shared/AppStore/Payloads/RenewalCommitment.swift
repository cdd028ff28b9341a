package import Contracts

/// How a commitment that is billed in parts will renew (`commitmentInfo` of renewal info).
package struct RenewalCommitment: Codable, Hashable, Sendable {
    package var commitmentAutoRenewProductId: String?
    package var commitmentAutoRenewStatus: Int?
    package var commitmentRenewalBillingPlanType: String?
    package var commitmentRenewalDate: Milliseconds?
    /// Milliunits of the renewal's currency.
    package var commitmentRenewalPrice: Int64?
}
