import Contracts
import TestKit

/// What a reconciliation finds in the tests: transactions with their claims before and after.
enum FoundTransactions {
    /// A status in the words of the report: `unknown`, `orphan`, `held`, `held, refunded`.
    static func status(_ text: String) -> ReconciliationV1.ClaimStatus {
        let words = text.split(separator: ", ").map(String.init)
        var claim = claim("1", words[0], isRevoked: words.count > 1)
        if words[0] == "held" { claim.buyerId = .ada }
        return ReconciliationV1.ClaimStatus(words[0] == "unknown" ? nil : claim)
    }

    static func claim(_ id: String, _ state: String, isRevoked: Bool = false) -> ClaimsV1.Claim {
        ClaimsV1.Claim(
            transactionId: TransactionID(unchecked: id),
            state: state,
            signedDate: Timestamp(milliseconds: 1),
            isRevoked: isRevoked
        )
    }

    static func transaction(
        _ id: String,
        _ before: String,
        _ after: String?,
        wouldBe: String? = nil,
        isUnderWay: Bool = false
    ) -> ReconciliationV1.Transaction {
        var found = ReconciliationV1.Transaction(
            .facts(id, product: "coins.120"),
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
