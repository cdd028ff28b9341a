import AppStore
import Contracts

/// What a receipt of this store says, whichever of the two kinds it is.
struct ReceiptContent: Sendable {
    /// An app receipt (PKCS#7) with everything the buyer has bought, or a transaction's own of iOS 6.
    enum Form: Sendable { case app, transaction }

    let form: Form
    let environment: StoreEnvironment
    let bundleId: String
    var creationDate: Int64 = 0
    var applicationVersion = "1.0"
    var originalApplicationVersion = "1.0"
    /// As they were when the receipt was made, in the receipt's order.
    let transactions: [SignedTransaction]
}

extension ReceiptContent {
    /// What an app receipt says that leads to `root`.
    init(appReceipt bytes: [UInt8], root: [UInt8], now: Timestamp) throws(ReceiptStatus) {
        let receipt: AppReceipt
        do throws(VerificationFailure) {
            receipt = try AppReceiptVerifier(extraRoots: [root]).verify(bytes, at: now)
        } catch {
            throw error.reason == .malformed ? .malformed : .notAuthentic
        }
        self.init(
            form: .app,
            environment: receipt.environment == .sandbox ? .sandbox : .production,
            bundleId: receipt.bundleId,
            creationDate: receipt.creationDate.milliseconds,
            applicationVersion: receipt.applicationVersion,
            originalApplicationVersion: receipt.originalApplicationVersion ?? "",
            transactions: receipt.inApp.map { receipt.transaction($0) }
        )
    }
}
