package import Contracts

/// All that is known of what was searched for: a sentence on top, then each purchase with its timeline.
package struct DeskFinding: Encodable, Equatable, Sendable {
    /// One thing that happened, or how something stands.
    package struct Line: Encodable, Equatable, Sendable {
        package let time: Timestamp
        package let kind: DeskFact.Kind
        package let text: String
        /// What would help; nil where nothing has to be done.
        package let help: String?
        /// By which ids and messages it is known.
        package let evidence: [String: String]
    }

    /// One purchase, or an order without one.
    package struct Purchase: Encodable, Equatable, Sendable {
        package let sentence: String
        package let orderId: OrderID?
        package let purchaseId: PurchaseID?
        package let buyerId: BuyerID?
        package let lines: [Line]
    }

    package let sentence: String
    package let purchases: [Purchase]

    /// Those first of which somebody waits for something, then the newest.
    package init(_ facts: [DeskFact], of text: String, in language: DeskLanguage, now: Timestamp) {
        let values = DeskValues(language, now: now)
        let sentences = DeskSentence(values)
        let groups = DeskGroups.of(Array(Set(facts))).map {
            (facts: DeskDecisions.told($0), isTrouble: DeskSentence.isTrouble($0))
        }
        let sorted = groups.filter(\.isTrouble) + groups.filter { !$0.isTrouble }
        purchases = sorted.map { group in
            // Whoever else claims it may have been told something later.
            let holder = group.facts.last { $0.kind == .held }
            return Purchase(
                sentence: sentences.of(group.facts),
                orderId: holder?.orderId ?? group.facts.lazy.compactMap(\.orderId).last,
                purchaseId: group.facts.lazy.compactMap(\.purchaseId).last { !$0.isCompensation },
                buyerId: holder?.buyerId ?? group.facts.lazy.compactMap(\.buyerId).last,
                lines: Self.lines(of: group.facts, values)
            )
        }
        let first = purchases.first?.sentence
        sentence =
            switch (purchases.count, first) {
            case (_, nil): DeskTexts.text(.nothingFound, language).filled(["text": text])
            case (1, let only?): only
            case (let count, let first?):
                DeskTexts.text(.several, language).filled(["count": String(count), "sentence": first])
            }
    }

    /// Without what a newer fact has answered: Orders hears of a grant a moment after the ledger wrote it.
    private static func lines(of facts: [DeskFact], _ values: DeskValues) -> [Line] {
        let holder = facts.last { $0.kind == .held }?.buyerId
        let isGranted = [.granted, .refundUnderWay].contains(DeskState(facts).kind)
        let compensations = DeskCompensations(facts)
        return facts.compactMap { fact in
            let buyer = holder ?? fact.buyerId
            if fact.kind == .awaitsLedger, isGranted,
                facts.contains(where: { $0.kind == .granted && $0.buyerId == buyer })
            {
                return nil
            }
            return Line(fact, compensations.advice(fact), values)
        }
    }
}

extension DeskFinding.Line {
    fileprivate init(
        _ fact: DeskFact,
        _ advised: (advice: DeskAdvice?, fact: DeskFact),
        _ values: DeskValues
    ) {
        time = fact.at
        kind = fact.kind
        text = DeskTexts.text(fact.kind, values.language).filled(values.of(fact))
        help = advised.advice.map {
            DeskTexts.text($0, values.language).filled(values.of(advised.fact))
        }
        let evidence: [String: String?] = [
            "order": fact.orderId?.rawValue, "reference": fact.reference,
            "purchase": fact.purchaseId?.rawValue,
            "transaction": fact.transactionId?.rawValue, "receipt": fact.receiptId?.rawValue,
            "environment": fact.environment?.rawValue, "app": fact.bundleId?.rawValue,
            "account": fact.account, "because": fact.word, "detail": fact.detail,
            "message": fact.eventId?.rawValue, "cause": fact.causationId?.rawValue,
        ]
        self.evidence = evidence.compactMapValues(\.self)
    }
}
