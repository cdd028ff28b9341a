import Contracts

/// What a reconciliation finds in the tests: transactions with their claims before and after.
enum FoundTransactions {
    static let bundle = BundleID(unchecked: "com.example.game")

    /// A status in the words of the report: `unknown`, `orphan`, `held`, `held, refunded`.
    static func status(_ text: String) -> ReconciliationV1.ClaimStatus {
        let words = text.split(separator: ", ").map(String.init)
        let id = TransactionID(unchecked: "1")
        var claim = ClaimsV1.Claim(
            transactionId: id,
            state: words[0],
            signedDate: Timestamp(milliseconds: 1),
            isRevoked: words.count > 1
        )
        if words[0] == "held" { claim.buyerId = BuyerID(unchecked: "ada") }
        return ReconciliationV1.ClaimStatus(words[0] == "unknown" ? nil : claim)
    }

    static func transaction(
        _ id: String,
        _ before: String,
        _ after: String?,
        wouldBe: String? = nil,
        isUnderWay: Bool = false
    ) -> ReconciliationV1.Transaction {
        let facts = TransactionFacts(
            environment: .production,
            bundleId: bundle,
            transactionId: TransactionID(unchecked: id),
            originalTransactionId: TransactionID(unchecked: id),
            productId: ProductID(unchecked: "coins.120"),
            quantity: 1,
            type: "Consumable",
            purchaseDate: Timestamp(milliseconds: 1),
            signedDate: Timestamp(milliseconds: 2)
        )
        var found = ReconciliationV1.Transaction(
            facts,
            before: status(before),
            changed: wouldBe != nil || after.map { $0 != before } ?? false,
            isUnderWay: isUnderWay
        )
        found.after = after.map(status)
        found.wouldBe = wouldBe
        return found
    }

    static func progress(
        isDryRun: Bool = false,
        isFinished: Bool = true,
        serverNotifications: Int = 0,
        sent: Int = 0
    ) -> ReconciliationV1.Progress {
        var progress = ReconciliationV1.Progress(isDryRun: isDryRun)
        progress.isFinished = isFinished
        progress.step = "com.example.game Production: page 1"
        (progress.serverNotifications, progress.sent) = (serverNotifications, sent)
        return progress
    }
}
