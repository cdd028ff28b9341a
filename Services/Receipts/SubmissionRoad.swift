import Contracts
import Delivery
import Domain
import ReceiptsCore

/// The way of a submission: its proof is read, the waiting phone is told what it holds, and every transaction goes to
/// its claim in the partition of its original transaction id.
struct SubmissionRoad: Sendable {
    let reader: any ProofReader
    let policies: [BundleID: AppPolicy]

    /// What a submission holds: by Apple's answer where it was asked, else by the proof itself.
    func read(_ record: SubmissionRecord, now: Timestamp) -> SubmissionReading {
        if let findings = record.findings { return reading(of: findings, in: record) }
        if let failure = record.failure { return SubmissionReading(failure) }
        do {
            return reading(of: try reader.contents(of: record.proof, now: now), in: record)
        } catch {
            return SubmissionReading(canAsk(about: record, error) ? .askingApple : error)
        }
    }

    /// A submission that was handed in, and what it holds.
    struct Judged {
        let record: SubmissionRecord
        let reading: SubmissionReading
        /// Whether its proof was not judged before.
        let isNew: Bool
    }

    /// What a submission holds that was handed in, beside the one that is kept of the same proof.
    ///
    /// What is not signed of a proof may differ, such as its certificates: each is judged by its own bytes, and the one
    /// is kept that tells more, or else the one that is longer, as something may have been cut out of the other.
    func judge(_ incoming: SubmissionRecord, beside earlier: SubmissionRecord?, now: Timestamp) -> Judged {
        guard let earlier else {
            return Judged(record: incoming, reading: read(incoming, now: now), isNew: true)
        }
        var (kept, incoming) = (earlier, incoming)
        kept.orderHint = incoming.orderHint
        let isSame = incoming.proof.isSame(as: kept.proof)
        // What Apple said, it said of these bytes.
        if isSame { (incoming.findings, incoming.failure) = (kept.findings, kept.failure) }
        let keptReading = read(kept, now: now)
        if keptReading.knowledge == .whole || (isSame && incoming.proof.deviceID == kept.proof.deviceID) {
            return Judged(record: kept, reading: keptReading, isNew: false)
        }
        let reading = read(incoming, now: now)
        let isLonger = incoming.proof.bytes.count > kept.proof.bytes.count
        let isBetter =
            reading.knowledge == keptReading.knowledge ? isLonger : reading.knowledge > keptReading.knowledge
        return isBetter
            ? Judged(record: incoming, reading: reading, isNew: true)
            : Judged(record: kept, reading: keptReading, isNew: false)
    }

    /// What these contents mean in a submission.
    func reading(of contents: ProofContents, in record: SubmissionRecord) -> SubmissionReading {
        SubmissionReading(
            contents.transactions,
            unreadable: contents.unreadable,
            signedFor: contents.appAppleId,
            from: record.buyerID,
            of: record.bundleID,
            policy: policies[record.bundleID]
        )
    }

    /// Whether Apple may be asked about a proof that fails so; of a transaction it signed there is nothing to ask.
    private func canAsk(about record: SubmissionRecord, _ failure: ProofFailure) -> Bool {
        record.proof.kind != .signedTransaction && failure.isForApple && authority(of: record) != nil
    }

    private func authority(of record: SubmissionRecord) -> Authority? {
        policies[record.bundleID]?.authorities.first
    }

    /// Tells the phone, sends every transaction to its claim, and asks Apple what only Apple knows.
    ///
    /// A genuine receipt that `isNew` is confirmed in the background: Apple may have taken back what it lists.
    func follow(
        _ reading: SubmissionReading,
        of record: SubmissionRecord,
        isNew: Bool,
        in context: inout HandlerContext
    ) throws {
        try send(reading, of: record, in: &context)
        guard record.proof.kind != .signedTransaction else { return }
        let proof = QuestionRow.Subject.proof(record.receiptID)
        if reading.state == .asking {
            // Of other bytes than those that Apple was asked about the answer would say nothing.
            try ask(proof, .awaited, record, unlessAsked: !isNew, in: &context)
        } else {
            let answered = QuestionRow.id(of: proof, in: record.bundleID)
            try QuestionStore(connection: context.connection).remove(answered)
            let isConfirmable = record.proof.kind == .appReceipt && record.findings == nil
            guard isNew, isConfirmable, !reading.admitted.isEmpty else { return }
            try ask(.confirmation(record.receiptID, record.buyerID), .background, record, in: &context)
        }
    }

    private func ask(
        _ subject: QuestionRow.Subject,
        _ urgency: QuestionRow.Urgency,
        _ record: SubmissionRecord,
        unlessAsked: Bool = false,
        in context: inout HandlerContext
    ) throws {
        guard let authority = authority(of: record) else { return }
        let row = QuestionRow(
            subject,
            of: record.bundleID,
            to: authority,
            urgency: urgency,
            now: context.now
        )
        let store = QuestionStore(connection: context.connection)
        if unlessAsked, try store.row(row.id) != nil { return }
        try store.ask(row)
        context.scheduleWork(at: context.now)
    }

    func send(
        _ reading: SubmissionReading,
        of record: SubmissionRecord,
        in context: inout HandlerContext
    ) throws {
        for accepted in reading.accepted(record.submission, of: record.bundleID) {
            try context.send(accepted)
        }
        for item in reading.admitted { try send(item, of: record, in: &context) }
    }

    func send(
        _ item: SubmissionReading.Item,
        of record: SubmissionRecord,
        in context: inout HandlerContext
    ) throws {
        try context.sendToClaim(item.signed, item.facts, for: record.submission)
    }
}

extension HandlerContext {
    /// Sends a transaction to its claim: on behalf of a submission, or because Apple told us.
    mutating func sendToClaim(
        _ signed: SignedTransaction,
        _ facts: TransactionFacts,
        for submission: Submission? = nil
    ) throws {
        try send(TransactionVerifiedV1(transaction: signed, submission: submission))
    }
}
