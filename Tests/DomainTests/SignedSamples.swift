import Contracts

extension SignedTransaction {
    /// What Apple signed of a purchase whose chain began with `original`.
    static func sample(
        _ type: String,
        _ id: String = "2",
        original: String = "1",
        purchased: Int64 = 50,
        quantity: Int = 1,
        signed: Int64 = 60
    ) -> SignedTransaction {
        SignedTransaction(
            transactionId: id,
            originalTransactionId: original,
            bundleId: "com.example.game",
            productId: "club",
            purchaseDate: purchased,
            quantity: quantity,
            type: type,
            environment: "Production",
            signedDate: signed
        )
    }
}
