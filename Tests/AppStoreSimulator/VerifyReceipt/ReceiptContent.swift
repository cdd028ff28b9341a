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

/// Why bytes are no receipt of this store.
enum ReceiptFailure: Error {
    /// No receipt at all.
    case malformed
    /// A receipt that this store did not sign, or not like this.
    case forged
}
