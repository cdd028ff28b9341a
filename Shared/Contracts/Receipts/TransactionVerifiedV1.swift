/// Apple's signature on this transaction is valid.
///
/// Where the chain is an alias of another one, it sends the message on to that one, under its original transaction id.
///
/// - Sent by: receipts (partition of the submitter, or of an alias)
/// - Received by: receipts (partition of the original transaction id)
package struct TransactionVerifiedV1: Contract, Hashable, DirectlyCoded {
    package static let type: EventType = "counterfoil.transaction.verified.v1"
    /// Every field of a signed transaction of up to 128 KiB.
    package static let maximumBytes = 160 << 10
    /// Most chains that send it on; no circle of aliases is as long.
    package static let maximumAliases = 32

    package var transaction: SignedTransaction
    /// Whose verdict must be updated; nil when Apple sent it.
    package var submission: Submission? = nil
    /// What Apple said with it of the next renewal; only of a subscription.
    package var renewal: RenewalFacts? = nil
    /// Apple's `status` of the subscription, which came with it: 1 active, 2 expired, 3 in billing retry, 4 in a grace
    /// period, 5 revoked. (App Store Server Notifications, `data.status`)
    package var status: Int? = nil
    /// When Apple asked what was used of the purchase; nil unless it did.
    package var consumptionAskedAt: Timestamp? = nil
    /// Nil where the statement says all that Apple knows, and where nobody can ask Apple.
    package var inquiry: HistoryInquiry? = nil
    /// The original transaction ids of the chains that have sent it on, first the one that Apple signed; nil if none
    /// has.
    package var aliases: [TransactionID]? = nil
}
