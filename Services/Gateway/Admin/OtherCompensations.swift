import Contracts
import Domain

/// Looks in all ledgers for another buyer's compensation on an order of Apple's, or on a purchase.
///
/// The ledger of a buyer refuses a second one of its own, and lets a purchase take the place of one; this asks those of
/// all others, side by side.
struct OtherCompensations: Sendable {
    let bundleId: BundleID
    /// Whose own compensations are left to the buyer's ledger.
    let buyerId: BuyerID
    /// Orders of Apple's, transactions, purchases.
    let names: [String]
    /// Those that keep it from this buyer.
    let states: Set<CompensationV1.State>
    /// What of the request is refused.
    let field: String
    /// On what it stands, for the refusal.
    let subject: String

    /// - Throws: `Problem`: 409 where there is one, 503 where a ledger that may have one does not answer.
    func check(in partitions: Partitions) async throws(Problem) {
        let ledgers = partitions.all.filter { $0.service == .entitlements }
        let asker = PartitionAsker(forDecisionsOf: partitions)
        for start in stride(from: 0, to: names.count, by: FactsFindV1.maximumTexts) {
            let question = FactsFindV1(
                texts: Array(names[start...].prefix(FactsFindV1.maximumTexts)),
                bundleIds: []
            )
            let found = await asker.answers(to: question, of: ledgers)
            if let other = found.replies.flatMap(\.facts).first(where: stands) { throw refusal(by: other) }
            // One that has not answered may have such a compensation.
            guard found.missed.isEmpty else { throw .unanswered }
        }
    }

    /// As its partition says, which alone knows by its clock whether a proposal can still be confirmed.
    private func stands(_ fact: DeskFact) -> Bool {
        guard fact.kind == .compensated, fact.bundleId == bundleId, fact.buyerId != buyerId else {
            return false
        }
        return fact.word.flatMap(CompensationV1.State.init).map(states.contains) ?? false
    }

    private func refusal(by fact: DeskFact) -> Problem {
        let proposal = fact.reference ?? ""
        let help =
            fact.word == CompensationV1.State.matched.rawValue
            ? "its purchase has come" : "first: counterfoil reverse \(proposal) --reason …"
        let text = "Another buyer's compensation \(proposal) stands on \(subject); \(help)."
        return Problem(RequestRefusal(.conflict, text, field: field, reason: "compensated"))
    }
}
