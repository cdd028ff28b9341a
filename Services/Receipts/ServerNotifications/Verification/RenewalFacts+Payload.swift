import AppStore
import Contracts

extension RenewalFacts {
    /// Nil without a renewal of the transaction's subscription; `now` replaces an absent signing time.
    init?(_ renewal: RenewalInfoPayload?, of transaction: SignedTransaction?, now: Timestamp) {
        guard let renewal, let transaction else { return nil }
        let chain = transaction.originalTransactionId
        guard renewal.originalTransactionId ?? chain == chain,
            renewal.environment ?? transaction.environment == transaction.environment
        else { return nil }
        self.init(
            signedDate: renewal.signingTime ?? now,
            autoRenewStatus: renewal.commitmentAutoRenewStatus ?? renewal.autoRenewStatus,
            autoRenewProductId: renewal.autoRenewProductId.flatMap(ProductID.init(rawValue:)),
            isInBillingRetryPeriod: renewal.isInBillingRetryPeriod,
            gracePeriodExpiresDate: renewal.gracePeriodExpiresDate?.timestamp
        )
        expirationIntent = renewal.expirationIntent
        renewalPrice = renewal.renewalPrice
        currency = renewal.currency.flatMap { $0.isAppleName ? $0 : nil }
        priceIncreaseStatus = renewal.priceIncreaseStatus
    }
}

extension RenewalInfoPayload {
    /// Whether a commitment of 12 months goes on after its last period; nil outside of one.
    ///
    /// A buyer who cancels turns this off: `autoRenewStatus` is of the next month, and stays on.
    fileprivate var commitmentAutoRenewStatus: Int? {
        guard case .object(let members)? = commitmentInfo,
            case .integer(let status)? = members["commitmentAutoRenewStatus"]
        else { return nil }
        return Int(status)
    }
}
