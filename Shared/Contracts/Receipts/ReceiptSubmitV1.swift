/// A phone hands in a proof of payment.
///
/// - Sent by: gateway
/// - Received by: receipts
package struct ReceiptSubmitV1: Request, Hashable {
    package typealias Reply = ReceiptSubmittedV1

    package static let type: EventType = "counterfoil.receipt.submit.v1"

    package var bundleId: BundleID
    package var buyerId: BuyerID
    /// The order that the phone names: a hint, kept as it came.
    package var orderId: String?
    package var kind: ProofKind
    /// The proof as it came: a compact JWS, or base64.
    package var proof: String
    /// The device that an app receipt has to be made for, where the phone says: a UUID, or a MAC address.
    package var deviceId: String?

    package init(
        bundleId: BundleID,
        buyerId: BuyerID,
        orderId: String? = nil,
        kind: ProofKind,
        proof: String,
        deviceId: String? = nil
    ) {
        self.bundleId = bundleId
        self.buyerId = buyerId
        self.orderId = orderId
        self.kind = kind
        self.proof = proof
        self.deviceId = deviceId
    }
}
