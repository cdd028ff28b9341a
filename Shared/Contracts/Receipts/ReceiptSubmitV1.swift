/// A phone submits a proof of payment.
///
/// - Sent by: gateway
/// - Received by: receipts
package struct ReceiptSubmitV1: RequestContract, Hashable {
    package typealias Reply = ReceiptSubmittedV1

    package static let type: EventType = "counterfoil.receipt.submit.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    /// The order named by the phone: an unchecked hint.
    package var orderId: String?
    package var kind: ProofKind
    /// Unchanged: a compact JWS, or base64.
    package var proof: String
    /// The device an app receipt must be made for, if the phone names it: a UUID, or a MAC address.
    package var deviceId: String?
    /// The original transaction that the JWS states, unverified; nil asks the buyer's partition.
    ///
    /// With it the partition of its claim is asked, so that submission and claim are one commit.
    package var originalTransactionId: TransactionID?
    /// Nil as long as nothing but the verdict is wanted.
    package var intent: Submission.Intent?

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        orderId: String? = nil,
        kind: ProofKind,
        proof: String,
        deviceId: String? = nil,
        originalTransactionId: TransactionID? = nil,
        intent: Submission.Intent? = nil
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.orderId = orderId
        self.kind = kind
        self.proof = proof
        self.deviceId = deviceId
        self.originalTransactionId = originalTransactionId
        self.intent = intent
    }
}

extension ReceiptSubmitV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        buyerId = try json.member("buyerId", value?.buyerId)
        orderId = try json.optional("orderId", value?.orderId)
        kind = try json.member("kind", value?.kind)
        proof = try json.member("proof", value?.proof)
        deviceId = try json.optional("deviceId", value?.deviceId)
        originalTransactionId = try json.optional("originalTransactionId", value?.originalTransactionId)
        intent = try json.optional("intent", value?.intent)
        try json.close()
    }
}
