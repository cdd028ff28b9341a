/// What came back for a proof that was sent, or that nothing came.
public struct DeliveryAnswer: Equatable, Sendable {
    /// What is judged of the body.
    public struct Receipt: Codable, Equatable, Sendable {
        /// Asked about after a 202.
        public let receiptId: String
        /// Such as `granted`; words that this version does not know are kept as they are.
        public let verdict: String
        /// The gateway's word that the transaction may be finished.
        public let finish: Bool
        /// Such as `emptyReceipt`.
        public let reason: String?

        /// For a backend of your own.
        public init(receiptId: String, verdict: String, finish: Bool, reason: String? = nil) {
            (self.receiptId, self.verdict, self.finish, self.reason) = (receiptId, verdict, finish, reason)
        }

        /// Verdict and reason in one word.
        var word: String { [verdict, reason].compactMap(\.self).joined(separator: "-") }
    }

    /// The HTTP status; nil where no answer came.
    public let status: Int?
    /// Nil where the body was not understood, or was that of a refusal.
    public private(set) var receipt: Receipt?
    /// What `Retry-After` says, in ms.
    public private(set) var retryAfterMilliseconds: Int64?
    /// The stable word of a problem, such as `unavailable`.
    public private(set) var code: String?
    /// What the gateway says about it, in English, for support; nil where it says no more than the code.
    public var detail: String?

    /// For a backend of your own; a status of nil says that no answer came, and `retryAfter` is in ms.
    public init(status: Int?, receipt: Receipt? = nil, retryAfter: Int64? = nil, code: String? = nil) {
        (self.status, self.receipt, self.code, retryAfterMilliseconds) = (status, receipt, code, retryAfter)
    }

    /// Whether the transaction may be finished: no status says it, only `"finish": true` in a 200.
    public var mayFinish: Bool { status == 200 && receipt?.finish == true }
    /// What the step log has of an answer that does not finish.
    var word: String { receipt?.word ?? code ?? status.map { "\($0)" } ?? "none" }

    /// A code to read to support, where waiting alone does not help: a lost answer, a limit and a fault of the
    /// server have none, and the proof is sent again.
    var problem: String? {
        guard let status else { return nil }
        switch (status, receipt) {
        case (200, let receipt?) where !receipt.finish && receipt.verdict != "pending": return receipt.word
        case (200...299, nil): return "answer-not-understood"
        case (429, _), (408, _), (..<400, _), (500..., _): return nil
        case (_, _): return code.map { "\(status)-\($0)" } ?? "\(status)"
        }
    }
}
