import Contracts
import Delivery
import Domain

/// Submissions that hold nothing, and need not be kept.
struct InvalidSubmissions {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Deletes one here and at its verdict.
    func purge(_ receipt: ReceiptID, of bundleID: BundleID, buyer: BuyerID) throws {
        try SubmissionStore(connection: context.connection).forget(receipt)
        try context.send(
            ReceiptPurgedV1(bundleId: bundleID, receiptId: receipt),
            subject: PartitionKey.buyer(buyer, of: bundleID).subject
        )
    }
}
