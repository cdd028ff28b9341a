import Contracts
import TestKit

/// Proofs that are handed in under another login than the one that has bought, and say so; and those by which nobody is
/// their buyer, as ids alone.
extension GroupScriptWriter {
    /// The buyer's phone may come later, or Apple; else only token and order tell whose it is.
    mutating func writeForAnother() {
        let order = order()
        let token = random.flip() ? GroupToken.order(order) : .none
        let payment = buy(token)
        let hint: GroupHint = random.happens(perMille: 300) ? .order(order) : .none
        var kinds: [ProofKind] = [.signedTransaction, .signedTransaction, .transactionId]
        // Of a receipt that Apple disowns nobody learns the token.
        if case .none = token { kinds.append(.appReceipt) }
        let kind = random.pick(kinds)
        submit(payment, by: other, hint: hint, kind: kind)
        noteBuyer()
        if random.flip() {
            submit(payment, by: other, .again, after: Self.later)
            noteBuyer()
        }
        if random.flip() {
            let isID = random.happens(perMille: 300)
            let delay = random.flip() ? Self.soon : Self.later
            submit(payment, by: own, kind: isID ? .transactionId : .signedTransaction, after: delay)
        } else if random.flip() {
            state(payment, .again, after: Self.later)
        }
    }

    /// The last submission says that the other login of the phone has bought it.
    private mutating func noteBuyer() { script.submissions[script.submissions.count - 1].purchasedBy = own }
}

extension GroupChecker {
    /// Whether a buyer holds what they have handed in as another's, though nothing names them.
    func isCallersAlone(_ buyer: BuyerID, _ key: GroupKey, _ expectation: GroupExpectation) -> Bool {
        expectation.evidence.contains { $0.buyer == buyer && $0.isForAnother }
            && !holders(key, expectation).contains(buyer)
    }
}
