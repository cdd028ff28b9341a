import Contracts
import Database
import TestKit

/// Dealings in a subscription that replaces another one, as a bundle does.
extension GroupScriptWriter {
    /// It is a chain of its own, and no token says whose; now and then a phone hands it in, too.
    mutating func writeReplaced() {
        let first = firstPeriod(until: random.flip() ? -5 : 20)
        let second = sell(.club, .none, from: -4, to: 20)
        script.transactions[second].replaces = first
        script.transactions[second].period?.isRenewal = random.flip()
        let isPatient = random.flip()
        let delay = random.flip() ? Self.soon : Self.later
        state(second, sold(second).first, isPatient: isPatient, after: delay)
        guard random.happens(perMille: 300) else { return }
        submit(second, by: eitherBuyer(), sold(second).again, after: Self.afterwards)
        script.submissions[script.submissions.count - 1].isPatient = isPatient
    }
}

extension GroupSimulation {
    /// Whether somebody holds the subscription that a transaction's replaces; true if it replaces none.
    func holdsWhatIsReplaced(by transaction: GroupTransaction) throws -> Bool {
        guard let number = transaction.replaces else { return true }
        let replaced = script.transactions[number].original
        let sql: SQL = "SELECT 1 FROM claim WHERE original_transaction_id = \(replaced) AND state = 'held'"
        return try !rows(.receipts, sql).isEmpty
    }
}

extension GroupChecker {
    /// Who may hold a subscription that replaces another one; nil if it replaces none.
    ///
    /// It is the other one's holder's, if that one was held when it was heard of. If not, who has handed it in may be
    /// its holder, too.
    func holdersByReplaced(_ expectation: GroupExpectation, _ own: Set<BuyerID>) -> Set<BuyerID>? {
        guard let number = expectation.transaction.replaces else { return nil }
        let replaced = simulation.script.transactions[number]
        guard let holder = claims[replaced.key]?.buyer else { return own }
        return isHeardOfInTime(expectation) ? [holder] : own.union([holder])
    }

    /// Whether nobody need hold it.
    ///
    /// When the other one's partition was asked, nobody held that. Or all who have handed it in have done so for
    /// another, and the orders that they have named were paid already, or issued after the purchase.
    func mayBeOrphan(_ expectation: GroupExpectation) -> Bool {
        guard expectation.transaction.replaces != nil, expectation.evidence.isEmpty else {
            return expectation.isForOthersAlone
        }
        return !isHeardOfInTime(expectation)
    }

    private func isHeardOfInTime(_ expectation: GroupExpectation) -> Bool {
        expectation.transaction.period?.isFollowing == true && simulation.restore?.isDone != true
    }
}
