package import Contracts
import Domain

// What Ada bought, with everything filled in that a test does not care about.

extension BundleID {
    package static let game = BundleID(unchecked: "com.example.game")
    package static let otherApp = BundleID(unchecked: "com.example.other")
}

extension BuyerID {
    package static let ada = BuyerID(unchecked: "ada")
    package static let eve = BuyerID(unchecked: "eve")
}

extension EventID {
    /// The id of the n-th event of a story, of 32 digits.
    package static func event(_ number: Int) -> EventID {
        EventID(unchecked: String(repeating: "\(number)", count: 32))
    }
}

extension ProductID {
    package static let coins = ProductID(unchecked: "coins.100")
}

/// A value of which a test may want a copy that differs in one field.
package protocol Varied {}

extension Varied {
    /// The same value with something else in one field.
    package func with<Value>(_ field: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: field] = value
        return copy
    }
}

extension SignedTransaction: Varied {}
extension Submission: Varied {}
extension TransactionFacts: Varied {}

extension TransactionFacts {
    /// A purchase as Apple signed it at `signed`, in ms; `refunded` is Apple's percentage in thousandths.
    package static func facts(
        _ transaction: String = "1000",
        product: String = ProductID.coins.rawValue,
        environment: Environment = .production,
        quantity: Int = 1,
        type: String = "Consumable",
        signed: Int64 = 100,
        refunded: Int? = nil
    ) -> TransactionFacts {
        var facts = TransactionFacts(
            environment: environment,
            bundleId: .game,
            transactionId: TransactionID(unchecked: transaction),
            originalTransactionId: TransactionID(unchecked: transaction),
            productId: ProductID(unchecked: product),
            quantity: quantity,
            type: type,
            purchaseDate: Timestamp(milliseconds: 50),
            signedDate: Timestamp(milliseconds: signed)
        )
        guard let refunded else { return facts }
        facts.revocationDate = facts.signedDate
        facts.revocationType = refunded == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED"
        facts.revocationPercentage = refunded
        return facts
    }
}

extension Submission {
    /// A proof whose digest consists of this byte.
    package static func submission(_ digest: UInt8 = 7, by submitter: BuyerID = .ada) -> Submission {
        let shard = PartitionKey.buyer(submitter, of: .game).shard
        let receipt = ReceiptID(
            signedSeconds: 0,
            shard: shard,
            place: shard,
            digest: Array(repeating: digest, count: 16)
        )
        return Submission(receiptId: receipt, submitter: submitter)
    }
}
