import Contracts
import Delivery

/// `counterfoil.receipt.submit.v1`: the proof is read and stored, and its transactions go to their claims.
///
/// A resubmitted proof is processed fully, as its verdict may have changed; a request repeated by the gateway is not.
/// Where the submission names a transaction, this is the partition of that claim. A new proof is stored beside the
/// claim only if it is verified as that one transaction. Every other new proof may have to wait for somebody, so the
/// gateway asks the buyer's partition, which limits how much of one buyer waits.
struct OnReceiptSubmit {
    let workflow: SubmissionWorkflow

    func callAsFunction(
        _ message: Event<ReceiptSubmitV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReceiptSubmittedV1> {
        let proof = workflow.reader.proof(of: message.data)
        let incoming = SubmissionRecord(message.data, proof, now: context.now)
        let (receipt, bundleID) = (incoming.receiptID, incoming.bundleID)
        let store = SubmissionStore(connection: context.connection)
        let reply = RequestOutcome.reply(ReceiptSubmittedV1.stored(receipt))
        let earlier = try store.request(receipt)
        guard earlier?.id != message.id.rawValue else { return reply }

        let stored = earlier == nil ? nil : try store.record(receipt)
        var submission = workflow.assess(incoming, beside: stored, now: context.now)
        let assessment = submission.assessment
        submission.record.restore?.check(
            signedAt: assessment.signedAt,
            fresh: workflow.freshRestore,
            now: context.now
        )
        let record = submission.record
        if let earlier { context.trace(earlier, of: receipt.rawValue) }
        let parts = SubmissionPartStore(connection: context.connection)
        let isLong = assessment.items.count > workflow.transactionsPerPart
        // What was sent of it before goes on by itself; it holds the same transactions, and says the same of them.
        let isCovered = stored?.covers(record, at: context.now) ?? false
        let isUnderWay = try isLong && !submission.isNew && isCovered && parts.contains(receipt)
        let admission = try SubmissionAdmission(
            assessment,
            beside: earlier == nil ? message.data.originalTransactionId : nil,
            isNew: submission.isNew,
            isSentAnew: isLong && !isUnderWay,
            waitingParts: { try parts.count() },
            quota: {
                try store.quota(besides: record).admit(assessment.state, bytes: record.proof.bytes.count) {
                    try store.lacks(assessment.admitted.map(\.facts.transactionId), besides: record)
                }
            }
        )
        switch admission {
        case .askBuyersPartition: return .reply(.askBuyersPartition)
        case .refuse(let reason): return .refused(RequestRefusal(reason))
        case .forward:
            try workflow.send(assessment, of: record, isFirst: submission.isFirst, in: context)
            return reply
        case .store(deleting: nil): break
        case .store(deleting: let usage?):
            for oldest in try store.oldestInvalid(usage, besides: record) {
                try InvalidSubmissions(context).purge(oldest, of: bundleID, buyer: record.buyerID)
            }
        }
        try store.save(record, assessment, request: message.id, now: context.now)
        // Of proofs that hold nothing yet only the newest is needed.
        if assessment.state == .pending { try store.dropPending(besides: incoming) }
        if isUnderWay { return reply }
        try workflow.follow(submission, in: context)
        return reply
    }
}

extension RequestRefusal {
    fileprivate init(_ reason: SubmissionAdmission.Refusal) {
        let detail =
            switch reason {
            case .tooManyParts:
                "too many long receipts are being worked off; this one was not accepted: send it again in a minute"
            case .tooManyStored:
                "too many receipts of this buyer are stored, and wait for an operator; this one was not accepted"
            case .tooManyAsking:
                "Apple is being asked about too many receipts of this buyer; this one was not accepted"
            }
        self.init(.busy, detail)
    }
}
