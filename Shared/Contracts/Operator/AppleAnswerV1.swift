/// What Apple answered an operator.
package struct AppleAnswerV1: Codable, Hashable, Sendable {
    /// One thing that Apple knows, its signature checked.
    package struct Finding: Codable, Hashable, Sendable {
        /// The notification's JWS; nil where a transaction was asked for.
        package var signedPayload: String?
        package var notificationUUID: String?
        package var notificationType: String?
        package var subtype: String?
        /// The transaction's own JWS; nil for a notification that is about none.
        package var signedTransaction: String?
        /// The facts of the transaction, if there is one and it can be read.
        package var transaction: TransactionFacts?
        /// Why it cannot be used, such as `badSignature`; nil if it can.
        package var problem: String?

        package init() {}
    }

    package var findings: [Finding]
    /// Names the page after this one; nil when it was the last.
    package var next: String?
    /// Why there is no answer, in a sentence; nil if there is one.
    package var problem: String?

    package init(findings: [Finding] = [], next: String? = nil, problem: String? = nil) {
        self.findings = findings
        self.next = next
        self.problem = problem
    }
}
