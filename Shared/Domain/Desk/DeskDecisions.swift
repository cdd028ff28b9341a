import Contracts

/// What Orders does not know: that an operator has decided whose the purchase of an order is.
///
/// Orders judges an assigned purchase as one that its buyer has handed in. Receipts know better: of the holder's order
/// the decision is told, and not the caller.
enum DeskDecisions {
    /// The facts of one purchase, where an operator has decided with the operator's decision in them.
    static func told(_ facts: [DeskFact]) -> [DeskFact] {
        let decided = HolderEvidence.reassigned.rawValue
        guard let holder = facts.last(where: { $0.kind == .held }), holder.word == decided,
            let order = holder.orderId
        else { return facts }
        return facts.map { fact in
            guard fact.orderId == order else { return fact }
            var fact = fact
            switch fact.kind {
            case .paid where fact.word == HolderEvidence.caller.rawValue: fact.word = decided
            case .orderMade: fact.word = "assigned"
            case _: break
            }
            return fact
        }
    }
}
