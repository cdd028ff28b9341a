package import Contracts

/// How a purchase stands, in one sentence: `Paid 12:03, granted 12:03; your server refused the webhook 4 times: 500`.
package struct DeskSentence {
    private let values: DeskValues

    package init(_ values: DeskValues) { self.values = values }

    /// The sentence about the facts of one purchase.
    package func of(_ facts: [DeskFact]) -> String {
        let state = DeskState(facts)
        var places = state.decisive.map(values.of) ?? [:]
        places["paid"] = state.paidAt.map(values.time)
        places["granted"] = state.grantedAt.map(values.time)
        let first = DeskTexts.text(state.kind, values.language).filled(places)
        let doubled = DeskCompensations(facts).doubled.map { text(.doubled, $0) }
        let parts = [doubled, first, contest(facts), compensation(facts, state), server(facts)]
        return parts.compactMap(\.self).joined(separator: values.language == .english ? "; " : "；")
    }

    /// Whether somebody waits for something of a purchase.
    package static func isTrouble(_ facts: [DeskFact]) -> Bool {
        if case .refuses = DeskServer(facts) { return true }
        return DeskState(facts).kind.isTrouble || facts.contains { $0.kind == .contested }
            || DeskCompensations(facts).doubled != nil
    }

    private func contest(_ facts: [DeskFact]) -> String? {
        facts.last { $0.kind == .contested }.map { text(.contested, $0) }
    }

    /// What operators have given, where the sentence speaks of the purchase.
    private func compensation(_ facts: [DeskFact], _ state: DeskState) -> String? {
        switch state.kind {
        case .compensated, .compensationProposed, .compensationReversed, .compensationVoid: return nil
        case .granted, .refundUnderWay, .parked, .takenBack, .neverGranted, .awaitsLedger, .orphan,
            .awaitsApple, .awaitsOrders, .proofParked, .proofPending, .proofInvalid, .failed, .unpaid,
            .closed, .appleOrderAsked, .appleOrderUnknown, .unknown:
            break
        }
        if let given = DeskState.compensation(facts, .granted) { return text(.compensated, given) }
        if let offered = DeskState.compensation(facts, .proposed) {
            return text(.compensationProposed, offered)
        }
        return DeskState.compensation(facts, .reversed).map { text(.compensationReversed, $0) }
    }

    private func server(_ facts: [DeskFact]) -> String? {
        switch DeskServer(facts) {
        case .none: nil
        case .told(let fact): text(.serverTold, fact)
        case .awaited(let fact): text(.serverAwaited, fact)
        case .refuses(let fact):
            text(fact.word.flatMap { Int($0) } == nil ? .serverSilent : .serverRefuses, fact)
        }
    }

    private func text(_ phrase: DeskPhrase, _ fact: DeskFact) -> String {
        DeskTexts.text(phrase, values.language).filled(values.of(fact))
    }
}
