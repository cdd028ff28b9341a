import Contracts

/// A finding of Apple's that can be handed in by one of the usual doors.
struct UsableFinding: Equatable {
    /// For the door of notifications; nil where a transaction was asked for.
    let notification: NotificationDeliverV1?
    /// For the door of transactions; nil for a notification about none that can be read.
    let transaction: TransactionDeliverV1?
    let found: FoundTransaction?

    /// What a finding gives.
    ///
    /// - Throws: `UnusableFinding` with the reason.
    init(_ finding: AppleAnswerV1.Finding) throws(UnusableFinding) {
        if let problem = finding.problem { throw UnusableFinding(finding, problem) }
        found = finding.transaction.map(FoundTransaction.init)
        transaction =
            if let signed = finding.signedTransaction, let facts = finding.transaction {
                TransactionDeliverV1(bundleId: facts.bundleId, signedTransaction: signed)
            } else {
                nil
            }
        guard let signedPayload = finding.signedPayload else {
            notification = nil
            if transaction == nil { throw UnusableFinding(finding, "it cannot be read") }
            return
        }
        guard let identifier = finding.notificationUUID else {
            throw UnusableFinding(finding, "it has no notificationUUID")
        }
        notification = NotificationDeliverV1(identifier: identifier, signedPayload: signedPayload)
    }
}

/// A finding that cannot be used, or was not taken.
struct UnusableFinding: Error, Encodable, Equatable {
    let notificationUUID: String?
    let transactionId: TransactionID?
    /// Why, such as `badSignature`.
    let problem: String
    /// Whether it was handed in and the group did not take it.
    private(set) var isRefused = false

    private enum CodingKeys: String, CodingKey {
        case notificationUUID, transactionId, problem
        case isRefused = "refused"
    }

    /// A finding that is not handed in.
    init(_ finding: AppleAnswerV1.Finding, _ problem: String) {
        notificationUUID = finding.notificationUUID
        transactionId = finding.transaction?.transactionId
        self.problem = problem
    }

    /// A finding that was not taken.
    init(_ finding: UsableFinding, refused: CommandFailure) {
        notificationUUID = finding.notification?.identifier
        transactionId = finding.found?.key.transactionID
        problem = refused.description
        isRefused = true
    }

    /// For people.
    var line: String {
        let thing =
            notificationUUID.map { "notification \($0)" } ?? transactionId.map { "transaction \($0)" }
            ?? "something without an id"
        return "\(thing) \(isRefused ? "was not taken" : "cannot be used"): \(problem)"
    }
}
