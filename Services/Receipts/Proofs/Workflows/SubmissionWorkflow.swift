import Contracts
import Delivery
import Domain

/// Reads a submission's proof, answers the waiting phone, and sends its transactions to their claims.
struct SubmissionWorkflow: Sendable {
    let reader: any ProofReader
    let policies: [BundleID: AppPolicy]
    /// Most transactions of a submission in one database transaction.
    var transactionsPerPart = SubmissionPart.maximumTransactions
    /// How old the proof of a restore may be, ms.
    let freshRestore: Int64

    // MARK: Reading

    /// A submission's contents: from Apple's answer if there is one, else from the proof.
    func assess(_ record: SubmissionRecord, now: Timestamp) -> SubmissionAssessment {
        if let findings = record.findings { return assess(findings, in: record) }
        if let failure = record.failure { return SubmissionAssessment(failure) }
        do {
            return assess(try reader.contents(of: record.proof, now: now), in: record)
        } catch {
            return SubmissionAssessment(error, of: record.proof.kind, mayAsk: api(of: record) != nil)
        }
    }

    func assess(_ contents: ProofContents, in record: SubmissionRecord) -> SubmissionAssessment {
        SubmissionAssessment(
            contents,
            from: record.buyerID,
            of: record.bundleID,
            policy: policies[record.bundleID]
        )
    }

    /// The API that is asked first about a proof; of a transaction's id only one knows anything.
    private func api(of record: SubmissionRecord) -> AppleAPI? {
        let policy = policies[record.bundleID]
        guard record.proof.kind == .transactionId else { return policy?.preferredAPI }
        return policy?.apis.contains(.serverAPI) == true ? .serverAPI : nil
    }

    struct Assessed {
        var record: SubmissionRecord
        let assessment: SubmissionAssessment
        /// Whether the contents were not acted upon before.
        let isNew: Bool
        /// Whether nothing was ever said about this submission.
        var isFirst = false
    }

    /// The contents of an incoming submission, or of the stored one of the same proof if preferred.
    func assess(
        _ incoming: SubmissionRecord,
        beside stored: SubmissionRecord?,
        now: Timestamp
    ) -> Assessed {
        guard var stored else {
            let assessment = assess(incoming, now: now)
            return Assessed(record: incoming, assessment: assessment, isNew: true, isFirst: true)
        }
        var incoming = incoming
        (stored.orderHint, stored.restore) = (incoming.orderHint, incoming.restore)
        stored.purchasedBy = incoming.purchasedBy
        let isSame = incoming.proof.isSame(as: stored.proof)
        // Apple's answer is about these bytes.
        if isSame { (incoming.findings, incoming.failure) = (stored.findings, stored.failure) }
        let known = Assessed(record: stored, assessment: assess(stored, now: now), isNew: false)
        let isRepeated = isSame && incoming.proof.deviceID == stored.proof.deviceID
        guard known.assessment.knowledge < .whole, !isRepeated else { return known }
        let assessment = assess(incoming, now: now)
        let isLonger = incoming.proof.bytes.count > stored.proof.bytes.count
        return assessment.isPreferred(to: known.assessment, isLonger: isLonger)
            ? Assessed(record: incoming, assessment: assessment, isNew: true) : known
    }

    // MARK: Sending

    /// Answers the phone, sends every transaction to its claim, and asks Apple what only Apple knows.
    func follow(_ submission: Assessed, in context: HandlerContext) throws {
        try ask(submission, in: context)
        let (assessment, record) = (submission.assessment, submission.record)
        try send(assessment, of: record, isFirst: submission.isFirst, in: context)
    }

    /// Asks Apple, or stops asking what is known by now.
    private func ask(_ submission: Assessed, in context: HandlerContext) throws {
        let (record, assessment) = (submission.record, submission.assessment)
        let (receipt, bundleID) = (record.receiptID, record.bundleID)
        let isAnswered = record.findings != nil
        let query = AppleQuery.id(of: .proof(receipt), in: bundleID)
        let store = AppleQueryStore(connection: context.connection)
        switch assessment.inquiry(record.proof.kind, isNew: submission.isNew, isAnswered: isAnswered) {
        case .proof(let again):
            guard try again || store.known(query) == nil, let api = api(of: record) else { return }
            // Nobody has found it genuine yet, so that anybody may have made it.
            try AppleQueries(context).ask(.proof(receipt), of: bundleID, to: api, .free)
        case .evidence:
            try store.remove(query)
            guard let api = api(of: record) else { return }
            try dropQuestions(coveredBy: record, store)
            let environment = assessment.environment
            let subject = AppleQuery.Subject.evidence(receipt, record.buyerID, environment)
            // A sandbox receipt costs nothing, and keeps nobody waiting who has paid.
            let isFree = environment.map { $0 != .production } ?? false
            try AppleQueries(context).ask(subject, of: bundleID, to: api, isFree ? .free : .awaited)
        case .nothing: try store.remove(query)
        case nil: return
        }
    }

    /// Ends the buyer's questions about receipts that list nothing more than this one.
    private func dropQuestions(coveredBy record: SubmissionRecord, _ queries: AppleQueryStore) throws {
        let (buyer, bundleID) = (record.buyerID, record.bundleID)
        let submissions = SubmissionStore(connection: queries.connection)
        let listed = Set(try submissions.transactionIDs(record.receiptID))
        for earlier in try queries.evidence(of: buyer, in: bundleID)
        where listed.isSuperset(of: try submissions.transactionIDs(earlier)) {
            try queries.remove(AppleQuery.id(of: .evidence(earlier, buyer), in: bundleID))
        }
    }

    /// Sends the acceptance of a submission (`ReceiptAcceptedV1`) to Notifications, and its transactions to their
    /// claims.
    ///
    /// Where the submission holds one transaction, its verdict follows and says all that the acceptance says, so that
    /// nobody waits for the acceptance: `isOnly` marks the submission. Only the first acceptance is marked. A later one
    /// corrects what Notifications was told before, and a phone may be waiting for it.
    func send(
        _ assessment: SubmissionAssessment,
        of record: SubmissionRecord,
        isFirst: Bool = false,
        in context: HandlerContext
    ) throws {
        var submission = record.submission(at: context.now)
        if assessment.isOne, isFirst { submission.isOnly = true }
        let inquiry = try historyInquiry(of: record, context)
        let parts = assessment.parts(submission, of: record.bundleID, size: transactionsPerPart, inquiry)
        try SubmissionParts(context).send(parts, of: record.receiptID)
    }

    /// Whether Apple is being asked about a receipt's purchases; nil if nobody can ask.
    func historyInquiry(of record: SubmissionRecord, _ context: HandlerContext) throws -> HistoryInquiry? {
        // `verifyReceipt` does not know whose the purchases are.
        guard record.proof.kind == .appReceipt,
            policies[record.bundleID]?.apis.contains(.serverAPI) == true
        else { return nil }
        let id = AppleQuery.id(of: .evidence(record.receiptID, record.buyerID), in: record.bundleID)
        return try AppleQueryStore(connection: context.connection).known(id) == nil ? .unasked : .asked
    }
}
