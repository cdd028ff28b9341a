import Contracts

/// What the compensations of one purchase, or of one order, ask of an operator.
///
/// Tested by: `DeskCompensationTests`.
///
/// | the purchase is \ a compensation of it is | proposed             | granted               |
/// |-------------------------------------------|----------------------|-----------------------|
/// | not known                                 | `confirm`            | nothing               |
/// | nobody's                                  | `assignTo` its buyer | `assignTo` its buyer  |
/// | its buyer's                               | `confirm`            | nothing: it is matched |
/// | another buyer's                           | `withdraw`           | `reverse`: *doubled*  |
///
/// *doubled*: two buyers hold goods for one payment. Of an order of Apple's with several transactions a purchase of
/// another product is none of the compensation's.
struct DeskCompensations {
    private let facts: [DeskFact]
    /// Those that keep others from the purchase.
    private let current: [DeskFact]

    init(_ facts: [DeskFact]) {
        self.facts = facts
        let states = [CompensationV1.State.proposed, .granted].map(\.rawValue)
        current = facts.filter { $0.kind == .compensated && $0.word.map(states.contains) == true }
    }

    /// The newest one whose goods a buyer holds for the payment of another, whom the fact then names, too.
    var doubled: DeskFact? {
        current.filter { $0.word == CompensationV1.State.granted.rawValue }
            .compactMap(heldByAnother).max { $0.at < $1.at }
    }

    /// What would help with a fact, and the fact with the names that this takes.
    func advice(_ fact: DeskFact) -> (advice: DeskAdvice?, fact: DeskFact) {
        switch fact.kind {
        case .orphan: return ofOrphan(fact)
        case .compensated: return ofCompensation(fact)
        case .appleOrderAsked where isAnswered(by: [.granted]): return (nil, fact)
        case .appleOrderUnknown where isAnswered(by: [.proposed, .granted, .reversed, .matched]):
            return (nil, fact)
        case _: return (DeskAdvice(fact), fact)
        }
    }

    private func ofOrphan(_ fact: DeskFact) -> (DeskAdvice?, DeskFact) {
        guard let compensation = current.last(where: { Self.isOf($0, fact) }) else { return (.assign, fact) }
        var named = fact
        named.buyerId = compensation.buyerId
        return (.assignTo, named)
    }

    private func ofCompensation(_ fact: DeskFact) -> (DeskAdvice?, DeskFact) {
        guard current.contains(fact) else { return (nil, fact) }
        let isProposed = fact.word == CompensationV1.State.proposed.rawValue
        if let contested = heldByAnother(fact) { return (isProposed ? .withdraw : .reverse, contested) }
        guard let orphan = facts.last(where: { $0.kind == .orphan && Self.isOf(fact, $0) }) else {
            return (isProposed ? .confirm : nil, fact)
        }
        var named = fact
        named.transactionId = orphan.transactionId
        return (.assignTo, named)
    }

    /// Whether an operator has decided already what to do about an order that Apple does not name.
    private func isAnswered(by states: [CompensationV1.State]) -> Bool {
        let words = states.map(\.rawValue)
        return facts.contains { $0.kind == .compensated && $0.word.map(words.contains) == true }
    }

    /// The compensation with the other buyer who has its purchase; nil where nobody else has.
    private func heldByAnother(_ compensation: DeskFact) -> DeskFact? {
        let others = facts.filter {
            $0.buyerId != nil && $0.buyerId != compensation.buyerId && Self.isOf(compensation, $0)
        }
        guard let holder = others.last(where: stands) else { return nil }
        var named = compensation
        named.otherBuyerId = holder.buyerId
        named.transactionId = holder.transactionId ?? compensation.transactionId
        return named
    }

    /// Whether a buyer has a purchase by this fact, and no newer one says that it was taken back.
    private func stands(_ fact: DeskFact) -> Bool {
        guard [.granted, .held].contains(fact.kind), fact.purchaseId?.isCompensation != true else {
            return false
        }
        let ends: Set<DeskFact.Kind> = [.grantReversed, .grantVoid, .neverGranted]
        return !facts.contains {
            ends.contains($0.kind) && $0.buyerId == fact.buyerId && $0.purchaseId == fact.purchaseId
        }
    }

    /// Whether a fact is of the purchase for which a compensation stands.
    private static func isOf(_ compensation: DeskFact, _ fact: DeskFact) -> Bool {
        guard let count = compensation.count, count > 1 else { return true }
        return fact.productId == compensation.productId
    }
}
