import Contracts

/// What apps said about the consumption of purchases, when Apple asked because of a refund.
actor ConsumptionLog {
    /// Answers remembered, at most.
    static let maximumAnswers = 10_000

    /// One answer of an app's.
    struct Answer: Encodable, Sendable {
        let transactionId: String
        let received: Timestamp
        let content: JSONValue
    }

    private var answers: [Answer] = []

    /// Remembers an answer.
    func add(_ answer: Answer) {
        answers.append(answer)
        if answers.count > Self.maximumAnswers { answers.removeFirst(Self.maximumAnswers / 10) }
    }

    /// Every answer about a transaction, or about all, the oldest first.
    func answers(about transactionId: String?) -> [Answer] {
        answers.filter { transactionId == nil || $0.transactionId == transactionId }
    }
}
