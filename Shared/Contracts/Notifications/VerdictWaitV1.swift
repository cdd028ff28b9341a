/// Waits for the verdict on a submission, until the request's deadline.
///
/// - Sent by: gateway
/// - Received by: notifications
package struct VerdictWaitV1: RequestContract, Hashable {
    package typealias Reply = ReceiptVerdictV1

    package static let type: EventType = "counterfoil.verdict.wait.v1"

    package var bundleId: BundleID
    package var receiptId: ReceiptID
    /// Longest wait, ms; 0 returns the present state.
    package var wait: Int
    /// True when the submission restores: a `conflict` from before may be taken back, and does not end the wait.
    package var restores: Bool?

    package init(bundleId: BundleID, receiptId: ReceiptID, wait: Int, restores: Bool? = nil) {
        self.bundleId = bundleId
        self.receiptId = receiptId
        self.wait = wait
        self.restores = restores
    }
}

extension VerdictWaitV1 {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        bundleId = try json.member("bundleId", value?.bundleId)
        receiptId = try json.member("receiptId", value?.receiptId)
        wait = try json.member("wait", value?.wait)
        restores = try json.optional("restores", value?.restores)
        try json.close()
    }
}
