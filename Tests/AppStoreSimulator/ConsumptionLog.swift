import Contracts

/// What apps said about the consumption of purchases, when Apple asked because of a refund.
actor ConsumptionLog {
    static let maximumAnswers = 10_000

    struct Answer: Encodable, Sendable {
        let transactionId: String
        let received: Timestamp
        let content: JSONValue
    }

    private var answers: [Answer] = []

    func add(_ answer: Answer) {
        answers.append(answer)
        if answers.count > Self.maximumAnswers { answers.removeFirst(Self.maximumAnswers / 10) }
    }

    func answers(about transactionId: String?) -> [Answer] {
        answers.filter { transactionId == nil || $0.transactionId == transactionId }
    }
}
