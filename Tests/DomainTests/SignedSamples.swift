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

extension TransactionFacts {
    /// The same purchase as other services know it.
    static func sample(_ type: String, quantity: Int = 1) -> TransactionFacts {
        TransactionFacts(
            environment: .production,
            bundleId: BundleID(unchecked: "com.example.game"),
            transactionId: TransactionID(unchecked: "2"),
            originalTransactionId: TransactionID(unchecked: "1"),
            productId: ProductID(unchecked: "club"),
            quantity: quantity,
            type: type,
            purchaseDate: Timestamp(milliseconds: 50),
            signedDate: Timestamp(milliseconds: 60)
        )
    }
}
