import Contracts

/// A transaction that a reconciliation found at Apple, compared with its claim.
struct FoundTransaction: Codable, Equatable, Sendable {
    enum Directive: Equatable, Sendable {
        /// The notification goes to the partition that detects duplicates.
        case submit(ServerNotificationRecoveredV1)
        case verify
    }

    private(set) var facts: TransactionFacts
    /// The claim when the transaction was first found; nil if there was none.
    let before: ClaimsV1.Claim?
    private let isDryRun: Bool
    private var isSubmitted = false
    private(set) var findings = 0

    init(_ facts: TransactionFacts, claim: ClaimsV1.Claim?, isDryRun: Bool) {
        self.facts = facts
        before = claim
        self.isDryRun = isDryRun
    }

    /// Applies a finding and the current claim; the later signature wins, as for the claim.
    ///
    /// A known notification has no effect, so its transaction is also submitted if the claim lacks Apple's facts.
    mutating func apply(
        _ found: TransactionFoundV1,
        _ facts: TransactionFacts,
        claim: ClaimsV1.Claim?
    ) -> [Directive] {
        if ClaimFacts(facts).supersedes(ClaimFacts(self.facts)) { self.facts = facts }
        findings += 1
        switch found.action {
        case .dryRun, .refuse: return []
        case .submitServerNotification:
            isSubmitted = true
            return found.serverNotification.map { [.submit($0)] } ?? []
        case .submit:
            isSubmitted = true
            guard let notification = found.serverNotification else { return [.verify] }
            return isNews(to: claim) ? [.submit(notification), .verify] : [.submit(notification)]
        }
    }

    func report(claim: ClaimsV1.Claim?) -> ReconciliationV1.Transaction {
        let (before, after) = (ReconciliationV1.ClaimStatus(before), ReconciliationV1.ClaimStatus(claim))
        var report = ReconciliationV1.Transaction(
            facts,
            before: before,
            changed: isDryRun ? prospect != nil : before != after,
            isUnderWay: isSubmitted && isNews(to: claim)
        )
        if isDryRun { report.wouldBe = prospect } else { report.after = after }
        return report
    }

    private func isNews(to claim: ClaimsV1.Claim?) -> Bool {
        let known = claim.map {
            ClaimFacts(signedDate: $0.signedDate, isRevoked: $0.isRevoked, isWhole: $0.isWhole)
        }
        return ClaimFacts(facts).joined(to: known) != nil
    }

    /// What submitting it would change, for people; nil for nothing.
    private var prospect: String? {
        guard isNews(to: before) else { return nil }
        let isRevoked = facts.revocationDate != nil
        guard let before else { return isRevoked ? "handed in, refunded" : "handed in" }
        guard before.isRevoked != isRevoked else { return nil }
        return isRevoked ? "refunded" : "no longer refunded"
    }
}

extension ReconciliationV1.Transaction {
    /// Whether further changes are expected.
    var isOpen: Bool { isUnderWay || ["proposed", "waiting"].contains(after?.state) }
}
