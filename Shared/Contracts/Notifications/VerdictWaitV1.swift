/// Waits for the verdict on a submission, until the request's deadline.
///
/// - Sent by: gateway
/// - Received by: notifications
package struct VerdictWaitV1: Request, Hashable {
    package typealias Reply = ReceiptVerdictV1

    package static let type: EventType = "counterfoil.verdict.wait.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID
    /// How long the caller will wait, in ms; 0 asks for what is known now.
    package var wait: Int

    package init(bundleId: BundleID, receiptId: ReceiptID, wait: Int) {
        self.bundleId = bundleId
        self.receiptId = receiptId
        self.wait = wait
    }
}
