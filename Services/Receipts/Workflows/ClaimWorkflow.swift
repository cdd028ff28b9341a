import Contracts
import Database
import Delivery
import Domain
import Foundation
import ReceiptsCore

/// Takes an event to the claim of a purchase and does what the claim directs.
struct ClaimWorkflow {
    private(set) var record: ClaimRecord
    /// The transaction as the event brought it.
    private let incoming: SignedTransaction?
    private var news: SignedTransaction?
    private var known: TransactionFacts?

    init(_ record: ClaimRecord, incoming: SignedTransaction? = nil) {
        self.record = record
        self.incoming = incoming
    }

    mutating func apply(_ event: Claim.Event, in context: inout HandlerContext) throws -> Outcome {
        let forgotten: LookupScope =
            try mayBeForgotten(event, in: context)
            ? LookupScope(
                ownedSince: context.ownedSince,
                partitions: context.unconfirmedPartitions(of: .orders)
            ) : .none
        let directives: [Claim.Directive]
        do throws(Claim.Refusal) {
            directives = try record.claim.apply(event, forgotten)
        } catch {
            return .parked(error.reason)
        }
        for directive in directives { try carryOut(directive, in: &context) }
        try ClaimStore(connection: context.connection).save(record, news: news, now: context.now)
        if news != nil, let known { try watch(known, in: &context) }
        return .applied
    }

    /// Whether Orders may hold the transaction without this store's knowing, and the event may lead to a query.
    private mutating func mayBeForgotten(_ event: Claim.Event, in context: HandlerContext) throws -> Bool {
        switch (record.claim.state, event) {
        case (.lookingUp, _): return true
        case (.held, _), (_, .held), (_, .redriven): return false
        case (.unclaimed, _), (.proposed, _), (.orphan, _):
            let bought =
                try incoming ?? ClaimStore(connection: context.connection).signed(record.key)
            let known = record.claim.facts
            return LookupScope.mayInclude(
                purchasedAt: Timestamp(milliseconds: bought.boughtDate),
                namesOrder: (event.facts?.keeping(tokenOf: known) ?? known)?.namesOrder ?? false,
                ownedSince: context.ownedSince
            )
        }
    }

    /// Notes when to ask whether a subscription went on.
    private func watch(_ facts: TransactionFacts, in context: inout HandlerContext) throws {
        let watches = RenewalCheckStore(connection: context.connection)
        guard let look = try watches.watch(facts, now: context.now) else { return }
        context.scheduleWork(at: look)
    }

    private mutating func carryOut(_ directive: Claim.Directive, in context: inout HandlerContext) throws {
        let store = ClaimStore(connection: context.connection)
        switch directive {
        case .storeFacts:
            (news, known) = (incoming, incoming.flatMap(TransactionFacts.init(_:)))
            known?.purchaseId = record.key.purchaseID
        case .propose(let attempt, let candidate, let submission):
            try propose(candidate, attempt, submission, in: &context)
        case .lookUp(let attempt, let partition, let submission):
            try lookUp(in: partition, attempt, submission, in: &context)
        case .wait(let submission): try store.addWaiter(submission, to: record.key, now: context.now)
        case .adopt(let submission): try store.removeWaiter(submission, from: record.key)
        case .dismissWaiters: try store.removeWaiters(of: record.key)
        case .restate(let holder, let submission): try restate(holder, submission, in: &context)
        case .sendConflict(let submission): try sendConflict(submission, in: &context)
        }
    }

    // MARK: Messages

    /// Asks Orders; also again, when what was asked before is lost.
    mutating func propose(
        _ candidate: ClaimCandidate,
        _ attempt: Int,
        _ submission: Submission?,
        in context: inout HandlerContext
    ) throws {
        let facts = try facts(context.connection)
        try context.send(
            ClaimProposedV1(
                attempt: attempt,
                candidate: candidate,
                transaction: facts,
                submission: submission
            ),
            to: .orders,
            shard: try candidate.shard(in: facts.bundleId),
            subject: candidate.subject(in: facts.bundleId)
        )
    }

    /// Asks a partition of Orders whether it holds the transaction; also again, when that was lost.
    mutating func lookUp(
        in partition: Int,
        _ attempt: Int,
        _ submission: Submission?,
        in context: inout HandlerContext
    ) throws {
        let facts = try facts(context.connection)
        try context.send(
            ClaimLookupV1(attempt: attempt, transaction: facts, submission: submission),
            to: .orders,
            shard: Shard(rawValue: UInt16(truncatingIfNeeded: partition)),
            subject: facts.bundleId.rawValue + "/" + facts.originalTransactionId.rawValue
        )
    }

    /// Tells Orders the newest facts of a transaction that is held.
    mutating func restate(
        _ holder: Claim.Holder,
        _ submission: Submission?,
        in context: inout HandlerContext
    ) throws {
        let facts = try facts(context.connection)
        try context.send(
            TransactionRestatedV1(
                transaction: facts,
                buyerId: holder.buyer,
                orderId: holder.order,
                submission: submission
            ),
            to: .orders,
            shard: holder.order.shard,
            subject: facts.bundleId.rawValue + "/" + holder.buyer.rawValue
        )
    }

    private mutating func sendConflict(_ submission: Submission, in context: inout HandlerContext) throws {
        let facts = try facts(context.connection)
        try context.send(
            TransactionJudgedV1(
                bundleId: facts.bundleId,
                submission: submission,
                transaction: TransactionVerdict(facts.named(by: submission), verdict: .conflict)
            ),
            to: .notifications,
            shard: submission.receiptId.shard,
            subject: facts.bundleId.rawValue + "/" + submission.submitter.rawValue
        )
    }

    /// The newest facts: those that came with the event, or else those of the row, which is read once.
    private mutating func facts(_ connection: any Connection) throws -> TransactionFacts {
        let facts = try known ?? ClaimStore(connection: connection).facts(record.key)
        known = facts
        return facts
    }
}

extension ClaimCandidate {
    /// The shard of the partition that judges the candidate.
    func shard(in bundleID: BundleID) throws(StoreError) -> Shard {
        switch self {
        case .token(let token):
            guard let uuid = UUID(uuidString: token) else { throw .corrupt("claim.token") }
            return Shard(appAccountToken: uuid)
        case .order(let order): return order.shard
        case .registered(let buyer), .caller(let buyer): return Shard(bundleID: bundleID, buyer: buyer)
        }
    }

    /// The key of order: the buyer where one is named, else what is named.
    fileprivate func subject(in bundleID: BundleID) -> String {
        switch self {
        case .token(let token): token
        case .order(let order): order.rawValue
        case .registered(let buyer), .caller(let buyer): bundleID.rawValue + "/" + buyer.rawValue
        }
    }
}

extension Claim.Refusal {
    /// The reason under which the event lies with the dead letters.
    var reason: String {
        switch self {
        case .unknownTransaction: "unknownTransaction"
        case .heldByAnother: "heldByAnother"
        }
    }
}
