import Contracts
import Database

/// Checks what one phone is answered against the stores at that moment.
struct GroupVerdictChecker {
    let simulation: GroupSimulation

    func check(_ verdict: ReceiptVerdictV1, _ submission: GroupSubmission) throws {
        guard verdict.finish else { return checkOpen(verdict, submission) }
        simulation.finished.insert(verdict.receiptId.rawValue)
        guard !submission.kind.isAsked || simulation.apple.hasJudged(verdict.receiptId) else {
            return simulation.fail("told to finish before Apple's word: \(verdict)", .noEarlyFinish)
        }
        switch submission.content {
        case .text(let text):
            return simulation.fail("told to finish \(text): \(verdict)", .noEarlyFinish)
        case .transactions(let parts):
            let ids = Set(parts.map { simulation.script.transactions[$0.0].id })
            guard Set(verdict.transactions.map(\.transactionId)) == ids else {
                return simulation.fail("told to finish without all of \(ids): \(verdict)", .noEarlyFinish)
            }
        }
        for line in verdict.transactions { try check(line, submission) }
    }

    /// Lines that are final though the whole is not must be as well founded.
    private func checkOpen(_ verdict: ReceiptVerdictV1, _ submission: GroupSubmission) {
        simulation.attempt("a verdict could not be judged", else: ()) {
            for line in verdict.transactions where line.verdict.finish { try check(line, submission) }
        }
    }

    private func check(_ line: TransactionVerdict, _ submission: GroupSubmission) throws {
        simulation.counts.count(line.verdict)
        // Its purchases have other keys, by which nothing is found.
        guard simulation.variant != .ignoresLineItems else { return }
        if line.reason == "staleProof" { simulation.counts.count(GroupDeal.staleRestore) }
        if line.reason == "notTransferred" { simulation.counts.count(GroupDeal.refusedTransfer) }
        let isFounded =
            switch line.verdict {
            case .granted: try hasGrant(line, submission.buyer)
            case .ended: try hasEnded(line, submission.buyer)
            case .conflict: try isOthers(line, submission.buyer) || wasOthers(line, submission)
            case .invalid, .pending, .parked: false
            }
        // What the phone is told was true before the ledger was lost, and will be again.
        let isForgotten = simulation.hasRestored(.entitlements)
        guard !isFounded, !isForgotten else { return }
        let law: GroupLaw = try isGranted(line, toOthersThan: submission.buyer) ? .rightBuyer : .noEarlyFinish
        simulation.fail("\(submission.buyer) was told \(line) and it is not so", law)
    }

    private func purchase(_ line: TransactionVerdict) -> PurchaseID {
        transaction(line)?.purchase ?? PurchaseID(line.transactionId)
    }

    private func transaction(_ line: TransactionVerdict) -> GroupTransaction? {
        simulation.script.transactions.first { $0.id == line.transactionId }
    }

    /// Whether a service keeps rows of a buyer about the purchase, or of all others.
    private func has(
        _ service: ServiceName,
        _ selection: String,
        _ line: TransactionVerdict,
        _ comparison: String,
        _ buyer: BuyerID
    ) throws -> Bool {
        let sql: SQL = """
            SELECT 1 FROM \(raw: selection) AND purchase_id IN (\(purchase(line)), \(purchase(line).elsewhere))
            AND environment = \(line.environment) AND buyer_id \(raw: comparison) \(buyer)
            """
        return try !simulation.rows(service, sql).isEmpty
    }

    private func hasGrant(_ line: TransactionVerdict, _ buyer: BuyerID) throws -> Bool {
        try has(.entitlements, "ledger WHERE kind IN ('grant', 'transferIn')", line, "=", buyer)
    }

    /// Whether what a phone was told to have is in another buyer's ledger.
    private func isGranted(_ line: TransactionVerdict, toOthersThan buyer: BuyerID) throws -> Bool {
        try line.verdict != .conflict && has(.entitlements, "ledger WHERE TRUE", line, "<>", buyer)
    }

    private func hasEnded(_ line: TransactionVerdict, _ buyer: BuyerID) throws -> Bool {
        let script = simulation.script
        let refunds = script.submissions.contains { other in
            guard case .transactions(let parts) = other.content else { return false }
            return parts.contains { isRefund($0.0, $0.1, line) }
        }
        let wasStated = script.statements.contains { isRefund($0.transaction, $0.facts, line) }
        // A period ends by itself.
        let isPeriod = transaction(line)?.period != nil
        // Of one that stays with its holder, who was parked for it hears that it is refunded.
        if refunds || wasStated, line.reason == "refunded", try isOthers(line, buyer) { return true }
        return try (refunds || wasStated || isPeriod)
            && has(.entitlements, "grants WHERE TRUE", line, "=", buyer)
    }

    private func isRefund(_ number: Int, _ facts: GroupFacts, _ line: TransactionVerdict) -> Bool {
        facts.refunded == 100_000 && simulation.script.transactions[number].purchase == purchase(line)
    }

    /// Whether it was refused to a login that has got it since, by another proof.
    private func wasOthers(_ line: TransactionVerdict, _ submission: GroupSubmission) throws -> Bool {
        let buyer = submission.buyer
        if submission.moves || isNamed(by: submission, line) { return false }
        return try has(.receipts, "claim WHERE transfers > 0", line, "=", buyer)
    }

    /// Whether the submission states the token that names its own buyer, so that it must move the purchase.
    private func isNamed(by submission: GroupSubmission, _ line: TransactionVerdict) -> Bool {
        guard !submission.saysNoBuyer, let transaction = transaction(line),
            transaction.period?.isRenewal != true
        else { return false }
        let expectation = GroupExpectation(transaction: transaction)
        return expectation.namedBuyer(simulation.script.orders) == submission.buyer
    }

    private func isOthers(_ line: TransactionVerdict, _ buyer: BuyerID) throws -> Bool {
        if try has(.receipts, "claim WHERE state = 'held'", line, "<>", buyer) { return true }
        // The ledger takes it back before the claim moves.
        let hasLeft = "grants WHERE document ->> '$.holderStatus.leftTo' IS NOT NULL"
        if try has(.entitlements, hasLeft, line, "=", buyer) { return true }
        return try simulation.restore?.isDone == true
            && has(.orders, "orders WHERE payment = 'paid'", line, "<>", buyer)
    }
}
