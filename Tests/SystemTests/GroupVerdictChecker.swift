import Contracts
import Database
import TestKit

/// Checks what one phone is answered against the stores at that moment.
struct GroupVerdictChecker {
    let simulation: GroupSimulation

    func check(_ verdict: ReceiptVerdictV1, _ submission: GroupSubmission) throws {
        guard verdict.finish else { return checkOpen(verdict, submission) }
        simulation.finished.insert(verdict.receiptId.rawValue)
        guard submission.kind != .transactionReceipt || simulation.apple.hasJudged(verdict.receiptId) else {
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
        do {
            for line in verdict.transactions where line.verdict.finish { try check(line, submission) }
        } catch {
            simulation.fail("a verdict could not be judged: \(error)")
        }
    }

    private func check(_ line: TransactionVerdict, _ submission: GroupSubmission) throws {
        simulation.counts.count(line.verdict)
        let isFounded =
            switch line.verdict {
            case .granted: try hasGrant(line, submission.buyer)
            case .ended: try hasEnded(line, submission.buyer)
            case .conflict: try isOthers(line, submission.buyer)
            case .invalid, .pending, .parked: false
            }
        guard !isFounded else { return }
        let law: GroupLaw = try isGranted(line, toOthersThan: submission.buyer) ? .rightBuyer : .noEarlyFinish
        simulation.fail("\(submission.buyer) was told \(line) and it is not so", law)
    }

    private func values(_ line: TransactionVerdict, _ buyer: BuyerID) -> [Value] {
        [.text(purchase(line).rawValue), .text(line.environment.rawValue), .text(buyer.rawValue)]
    }

    private func purchase(_ line: TransactionVerdict) -> TransactionID {
        simulation.script.transactions.first { $0.id == line.transactionId }?.purchase ?? line.transactionId
    }

    private func hasGrant(_ line: TransactionVerdict, _ buyer: BuyerID) throws -> Bool {
        let sql = """
            SELECT 1 FROM ledger WHERE kind = 'grant' AND purchase_id = ? AND environment = ? AND buyer_id = ?
            """
        return try !simulation.rows(.entitlements, sql, values(line, buyer)).isEmpty
    }

    /// Whether what a phone was told to have is in another buyer's ledger.
    private func isGranted(_ line: TransactionVerdict, toOthersThan buyer: BuyerID) throws -> Bool {
        let sql = "SELECT 1 FROM ledger WHERE purchase_id = ? AND environment = ? AND buyer_id <> ?"
        return try line.verdict != .conflict
            && !simulation.rows(.entitlements, sql, values(line, buyer)).isEmpty
    }

    private func hasEnded(_ line: TransactionVerdict, _ buyer: BuyerID) throws -> Bool {
        let script = simulation.script
        let refunds = script.submissions.contains { other in
            guard case .transactions(let parts) = other.content else { return false }
            return parts.contains { isRefund($0.0, $0.1, line) }
        }
        let wasStated = script.statements.contains { isRefund($0.transaction, $0.facts, line) }
        let sql = "SELECT 1 FROM grants WHERE purchase_id = ? AND environment = ? AND buyer_id = ?"
        return try (refunds || wasStated) && !simulation.rows(.entitlements, sql, values(line, buyer)).isEmpty
    }

    private func isRefund(_ number: Int, _ facts: GroupFacts, _ line: TransactionVerdict) -> Bool {
        facts.refunded == 100_000 && simulation.script.transactions[number].purchase == purchase(line)
    }

    private func isOthers(_ line: TransactionVerdict, _ buyer: BuyerID) throws -> Bool {
        let sql = """
            SELECT 1 FROM claim WHERE state = 'held' AND purchase_id = ? AND environment = ? AND buyer_id <> ?
            """
        let isHeld = try !simulation.rows(.receipts, sql, values(line, buyer)).isEmpty
        guard simulation.restore?.isDone == true, !isHeld else { return isHeld }
        let paid = """
            SELECT 1 FROM orders WHERE payment = 'paid' AND purchase_id = ? AND environment = ? AND buyer_id <> ?
            """
        return try !simulation.rows(.orders, paid, values(line, buyer)).isEmpty
    }
}
