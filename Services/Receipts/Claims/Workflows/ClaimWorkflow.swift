import Contracts
import Database
import Delivery
import Domain

/// Applies events to one claim: reads what they are weighed by, asks `Claim`, and carries out its directives.
struct ClaimWorkflow {
    let context: HandlerContext
    var record: ClaimRecord
    let incoming: SignedTransaction?
    /// The incoming transaction if it is newer than the row's.
    private var newer: SignedTransaction?
    private var newest: TransactionFacts?

    init(_ record: ClaimRecord, incoming: SignedTransaction? = nil, in context: HandlerContext) {
        (self.record, self.incoming, self.context) = (record, incoming, context)
    }

    var store: ClaimStore { ClaimStore(connection: context.connection) }

    /// Applies an answer of Orders, an event that names the waiting submissions; a later holder has it by `evidence`.
    ///
    /// It is kept as the last answer to a proposal, unless it answers something else.
    static func answer(
        _ message: Event<some Contract>,
        about key: PurchaseKey,
        by evidence: HolderEvidence? = nil,
        isKept: Bool = true,
        in context: HandlerContext,
        _ event: ([Submission]) -> Claim.Event
    ) throws -> Outcome {
        let store = ClaimStore(connection: context.connection)
        guard let record = try store.record(key) else {
            return .deadLettered(Claim.Refusal.unknownTransaction.rawValue)
        }
        let event = event(try store.waiters(record))
        var workflow = ClaimWorkflow(record, in: context)
        let entry = Trace.Entry(message, at: context.now)
        if isKept { workflow.keep(entry) } else { context.trace(entry, of: key.purchaseID.rawValue) }
        if let evidence { workflow.record.claim.note(evidence, of: event) }
        return try workflow.apply(event)
    }

    /// Keeps the last answer of Orders for `trace`, and records the one before it.
    mutating func keep(_ answer: Trace.Entry) {
        if let before = record.answered { context.trace(before, of: record.key.purchaseID.rawValue) }
        record.answered = answer
    }

    /// Proposes the periods of a chain that have waited for one which has gone to another chain.
    static func helpOrphans(leftBy record: ClaimRecord, in context: HandlerContext) throws {
        var gone = record
        gone.claim.state = .orphan
        try ClaimWorkflow(gone, in: context).helpOrphans()
    }

    /// Proposes the periods of a chain that had no candidate before one of them was decided.
    private func helpOrphans() throws {
        for orphan in try store.orphans(beside: record) {
            var workflow = ClaimWorkflow(orphan, in: context)
            _ = try workflow.apply(.retried)
        }
    }

    /// Has what the new holder handed in before, and was a conflict, judged by the ledger now; others wait and are
    /// judged.
    private mutating func restateSubmissions(beside waiting: [Submission]) throws {
        guard let holder = record.claim.state.holder else { return }
        let facts = try facts()
        let receipts = try SubmissionStore(connection: context.connection)
            .verified(by: holder.buyer, of: record.key.bundleID, listing: facts.transactionId)
        for receipt in receipts where !waiting.contains(where: { $0.receiptId == receipt }) {
            let submission = Submission(
                receiptId: receipt,
                submitter: holder.buyer,
                transactionId: facts.nameInSubmissions
            )
            try carryOut(.restate(holder, submission))
        }
    }

    /// Applies an event; `inquiry` says whether Apple can be asked about facts that do not say whose the purchase is.
    mutating func apply(_ event: Claim.Event, _ inquiry: HistoryInquiry? = nil) throws -> Outcome {
        let scope = try record.claim.lookupScope(
            of: event,
            ownedSince: context.ownedSince,
            unconfirmedPartitions: context.unconfirmedPartitions(of: .orders)
        ) {
            Timestamp(milliseconds: try (incoming ?? store.signed(record.key)).boughtDate)
        }
        record.claim.reading.inquiry = inquiry
        try readEvidence(for: event)
        record.claim.reading.transferHistory = try transferHistory(for: event)
        let before = record.claim
        let directives: [Claim.Directive]
        do throws(Claim.Refusal) {
            directives = try record.claim.apply(event, scope)
        } catch {
            return .deadLettered(error.rawValue)
        }
        for directive in directives { try carryOut(directive) }
        try endContest()
        try store.save(record, newer: newer, now: context.now)
        for followUp in record.claim.followUps(of: event, from: before) {
            try carryOut(followUp, beside: event.submissions)
        }
        return .applied
    }

    /// Reads what the event may be weighed by.
    private mutating func readEvidence(for event: Claim.Event) throws {
        record.claim.reading.firstAttempt =
            LookupScope(ownedSince: context.ownedSince, partitions: []).firstAttempt
        let mayWeigh = record.claim.mayWeigh(event)
        let isRestored = mayRestore(event)
        if isRestored {
            record.claim.reading.isTransferable = try ProductType.isTransferable(type())
        }
        if let holder = record.claim.mayFollowRestore(event, isRestored: isRestored) {
            record.claim.reading.restorer = try restorer(of: holder.buyer)
        }
        if record.claim.state.holder == nil || mayWeigh || record.claim.isBusy {
            record.claim.reading.chain = try store.chain(
                of: record,
                incoming: incoming,
                isRefused: event.isRefusal
            )
        }
        if mayWeigh {
            record.claim.reading.isDeed = try isDeed()
            // What a restore has moved stays moved.
            record.claim.reading.isRestored =
                try record.claim.isTransferred && store.transfers(of: record.key).last?.cause == .restore
            record.claim.reading.signedForerunner = try store.signedForerunner(of: record)
        }
        guard record.claim.needsFirmness(event) else { return }
        let signed = try incoming ?? store.signed(record.key)
        record.claim.reading.firmness = ClaimFirmness(record.claim, signed, now: context.now)
    }

    mutating func redrive(to target: PartitionAddress) throws {
        for directive in record.claim.redrive where isReceived(directive, by: target, context.partitions) {
            try carryOut(directive)
        }
        try redriveReleases(to: target)
    }

    private func isReceived(_ directive: Claim.Directive, by target: PartitionAddress, _ count: Int) -> Bool {
        switch directive {
        case .lookUp(_, let partition, _): partition == target.partition
        case .propose(_, let candidate, _), .challenge(_, let candidate):
            candidate.partitionKey(in: record.key.bundleID)?.address(in: .orders, of: count) == target
        case .restate(let holder, _):
            PartitionKey.order(holder.order).address(in: .orders, of: count) == target
        case .moveClaim(let newcomer, _, _):
            PartitionKey.buyer(newcomer.buyer, of: record.key.bundleID).address(in: .orders, of: count)
                == target
        case .storeFacts, .askApple, .wait, .adopt, .dismissWaiters, .sendConflict, .sendParked,
            .requestTransfer, .noteTransfer, .release:
            false
        }
    }

    mutating func carryOut(_ directive: Claim.Directive) throws {
        switch directive {
        case .storeFacts:
            newer = try incoming.map { try joined($0) }
            newest = newer.flatMap(TransactionFacts.init(_:))
            newest?.purchaseId = record.key.purchaseID
        case .askApple(let urgency): try askApple(about: try facts(), urgency)
        case .wait(let submission): try wait(submission)
        case .adopt(let submission): try store.removeWaiter(submission, from: record.key)
        case .dismissWaiters: try store.removeWaiters(of: record.key)
        case .propose(let attempt, let candidate, let submission):
            let proposed = ClaimProposedV1(
                attempt: attempt,
                candidate: candidate,
                transaction: try facts(),
                submission: submission
            )
            try context.send(proposed)
        case .lookUp(let attempt, let partition, let submission):
            let lookup = ClaimLookupV1(attempt: attempt, transaction: try facts(), submission: submission)
            try context.send(lookup, partition: partition)
        case .restate(let holder, let submission):
            let updated = TransactionUpdatedV1(
                transaction: try facts(),
                buyerId: holder.buyer,
                orderId: holder.order,
                isSubmitted: record.claim.proposer == nil ? nil : true,
                submission: submission,
                transferred: holder.transferred,
                evidence: record.claim.heldBy
            )
            try context.send(updated)
        case .requestTransfer(let holder, let buyer, let cause):
            try requestTransfer(from: holder, to: buyer, cause)
        case .noteTransfer(let answer, let order):
            var step = TransferStep(number: answer.transfer, from: answer.from, to: answer.buyer)
            (step.cause, step.lost) = (answer.cause, order)
            let payer = record.claim.state.holder?.payer
            if answer.cause == .reassign, order != nil, payer != answer.from { step.payer = payer }
            try store.add(step, of: record.key, isStated: true, now: context.now)
        case .challenge(let attempt, let candidate):
            let facts = try facts()
            try context.send(ClaimChallengedV1(attempt: attempt, candidate: candidate, transaction: facts))
        case .release(let order, let transfer): try context.send(release(of: order, by: transfer))
        case .moveClaim(let newcomer, let holder, let transfer):
            try moveClaim(to: newcomer, from: holder, by: transfer)
        case .sendConflict(let submission):
            context.count(CountedRule.claimConflict.rawValue)
            try send(.conflict, submission.intent?.conflict, to: submission)
        case .sendParked(let submission):
            // Of what is refunded in full it hears in the end (`endContest`).
            guard try !RefundedShare(facts()).isFull else { return }
            try send(.parked, Challenge.parkReason, to: submission)
        }
    }

    /// The submission waits as a row, if there is room.
    private func wait(_ submission: Submission) throws {
        if try store.waiterCount(record.key) >= WaitingRoom.maximum {
            switch WaitingRoom.admission(of: submission, beside: try store.waiters(record)) {
            case .wait: break
            case .waitInPlaceOf(let last): try store.removeWaiter(last, from: record.key)
            case .refuse: return
            }
        }
        try store.addWaiter(submission, to: record.key, now: context.now)
    }

    private mutating func carryOut(_ followUp: Claim.FollowUp, beside waiting: [Submission]) throws {
        switch followUp {
        case .noteTransfer(let before): try noteTransfer(from: before)
        case .restateSubmissions: try restateSubmissions(beside: waiting)
        case .followTransfer(let onlyRenewal, let refused):
            try followTransfer(onlyRenewal: onlyRenewal, but: refused)
        case .judgeWaiting: _ = try apply(.evidenceCompleted(waiting: try store.waiters(record)))
        case .announceHolder:
            try SubscriptionRenewals(context).announce(record)
            try ConsumptionRequests(context).noteHolder(of: record.key)
        case .alarm(let claimants): try alarmContested(by: claimants)
        case .weighFollower: try weighFollower()
        case .planRenewalCheck: try planRenewalCheck()
        case .scheduleWork(let due): context.scheduleWork(at: due)
        case .stopAskingApple: try AppleQueryStore(connection: context.connection).remove(queryID)
        case .answerOthers:
            try helpOrphans()
            guard record.mayHaveOthers else { return }
            try PreviousChainWorkflow.answerQuestions(about: record.chainKey, in: context)
        }
    }

    private func planRenewalCheck() throws {
        guard newer != nil, let newest else { return }
        let check = try RenewalCheckStore(connection: context.connection).plan(newest, now: context.now)
        if let check { context.scheduleWork(at: check) }
    }

    /// Asks Apple about the purchase alone, unless that is being asked with as much urgency.
    private func askApple(about facts: TransactionFacts, _ urgency: AppleQuery.Urgency) throws {
        // A sandbox purchase costs nothing, and keeps nobody waiting who has paid.
        let isPaid = record.key.environment == .production
        let isFree = !isPaid && urgency.rawValue < AppleQuery.Urgency.free.rawValue
        let urgency = isFree ? .free : urgency
        let known = try AppleQueryStore(connection: context.connection).known(queryID)
        if let known, known.urgency.rawValue <= urgency.rawValue { return }
        let subject = AppleQuery.Subject.claimEvidence(EvidenceCompletedV1(facts))
        try AppleQueries(context).ask(subject, of: facts.bundleId, urgency)
    }

    /// Of the question about the purchase alone.
    var queryID: String {
        AppleQuery.claimEvidence(of: record.key.purchaseID, record.key.environment, in: record.key.bundleID)
    }

    /// Tells a login that does not hold the purchase how it stands.
    mutating func send(_ verdict: Verdict, _ reason: String?, to submission: Submission) throws {
        let facts = try facts().named(by: submission)
        let conflicted = ClaimConflictedV1(
            bundleId: facts.bundleId,
            submission: submission,
            transaction: TransactionVerdict(facts, verdict: verdict, reason: reason),
            transfers: record.claim.state.holder?.transferred?.count
        )
        try context.send(conflicted)
    }

    /// Whether its token is weighed: not that of a renewal, unless the period before is known not to state it.
    ///
    /// Seats without a token are no deed: they are the holder's of the period to which they were added.
    private func isDeed() throws -> Bool {
        var known = incoming
        // An app receipt does not say the reason.
        if record.stored != nil, known?.transactionReason == nil {
            let stored = try store.signed(record.key)
            known = known?.completed(by: stored) ?? stored
        }
        if let known, known.isAddition, record.claim.facts?.token == nil { return false }
        return known?.transactionReason != "RENEWAL" || record.claim.reading.chain?.rank == .afterToken
    }

    /// As Apple writes it; empty as long as only old app receipts, which do not state it, have shown the purchase.
    private func type() throws(StoreError) -> String {
        if let incoming, !incoming.type.isEmpty || record.stored == nil { return incoming.type }
        return try store.signed(record.key).type
    }

    /// What the row's statement and the incoming one say together.
    private func joined(_ incoming: SignedTransaction) throws -> SignedTransaction {
        guard record.stored != nil else { return incoming }
        let known = try store.signed(record.key)
        let isNewer = Recency(incoming) > Recency(known)
        return isNewer ? incoming.completed(by: known) : known.completed(by: incoming)
    }

    /// The newest facts; those of the row are read once.
    mutating func facts() throws(StoreError) -> TransactionFacts {
        let facts = if let newest { newest } else { try store.facts(record.key) }
        newest = facts
        return facts
    }
}
