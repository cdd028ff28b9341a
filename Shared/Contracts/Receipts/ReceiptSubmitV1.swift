/// A phone submits a proof of payment.
///
/// - Sent by: gateway
/// - Received by: receipts
package struct ReceiptSubmitV1: RequestContract, Hashable, DirectlyCoded {
    package typealias Reply = ReceiptSubmittedV1

    package static let type: EventType = "counterfoil.receipt.submit.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    /// The order named by the phone: an unchecked hint.
    package var orderId: String? = nil
    package var kind: ProofKind
    /// Unchanged: a compact JWS, base64, or a transaction's id.
    package var proof: String
    /// The device an app receipt must be made for, if the phone names it: a UUID, or a MAC address.
    package var deviceId: String? = nil
    /// The original transaction that the JWS states, unverified; nil asks the buyer's partition.
    ///
    /// With it the partition of its claim is asked, so that submission and claim are one commit.
    package var originalTransactionId: TransactionID? = nil
    /// Nil as long as nothing but the verdict is wanted.
    package var intent: Submission.Intent? = nil
    /// Who has bought it, if another login of the phone than the buyer who hands it in: then that one is no candidate.
    package var purchasedBy: BuyerID? = nil
}
