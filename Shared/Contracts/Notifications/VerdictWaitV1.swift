/// Waits for the verdict on a submission, until the request's deadline.
///
/// - Sent by: gateway
/// - Received by: notifications
package struct VerdictWaitV1: RequestContract, Hashable, DirectlyCoded {
    package typealias Reply = ReceiptVerdictV1

    package static let type: EventType = "counterfoil.verdict.wait.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID
    /// Longest wait, ms; 0 returns the present state.
    package var wait: Int
    /// True when the submission restores: a `conflict` from before may be taken back, and does not end the wait.
    package var restores: Bool? = nil
    /// Who must have submitted it; nil: any buyer.
    package var buyerId: BuyerID? = nil
}
