import Contracts
import Database
import Delivery
import Domain
import Foundation
import ReceiptsCore

/// Takes an event to the claim of a purchase and does what the claim directs.
struct ClaimRoad {
    private(set) var record: ClaimRecord
    /// The transaction as the event brought it.
    private let heard: SignedTransaction?
    private var news: SignedTransaction?
    private var known: TransactionFacts?

    init(_ record: ClaimRecord, heard: SignedTransaction? = nil) {
        self.record = record
        self.heard = heard
    }

    mutating func apply(_ event: Claim.Event, in context: inout HandlerContext) throws -> Outcome {
        let forgotten: ForgottenClaims =
            try mayBeForgotten(event, in: context)
            ? ForgottenClaims(
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

    /// Whether Orders may hold the transaction without this store's knowing, and the event may lead to a question.
    private mutating func mayBeForgotten(_ event: Claim.Event, in context: HandlerContext) throws -> Bool {
        switch (record.claim.state, event) {
        case (.sought, _): return true
        case (.held, _), (_, .held), (_, .recalled): return false
        case (.unclaimed, _), (.proposed, _), (.orphan, _):
            let bought =
                try heard ?? ClaimStore(connection: context.connection).signed(record.key)
            let known = record.claim.statement
            return ForgottenClaims.mayInclude(
                purchasedAt: Timestamp(milliseconds: bought.boughtDate),
                namesOrder: (event.statement?.keeping(tokenOf: known) ?? known)?.namesOrder ?? false,
                ownedSince: context.ownedSince
            )
        }
    }

    /// Notes when to ask whether a subscription went on.
    private func watch(_ facts: TransactionFacts, in context: inout HandlerContext) throws {
        let watches = SubscriptionWatches(connection: context.connection)
        guard let look = try watches.watch(facts, now: context.now) else { return }
        context.scheduleWork(at: look)
    }

    private mutating func carryOut(_ directive: Claim.Directive, in context: inout HandlerContext) throws {
        let store = ClaimStore(connection: context.connection)
        switch directive {
        case .keepFacts:
            (news, known) = (heard, heard.flatMap(TransactionFacts.init(_:)))
            known?.purchaseId = record.key.purchaseID
        case .propose(let attempt, let candidate, let submission):
            try propose(candidate, attempt, submission, in: &context)
        case .seek(let attempt, let partition, let submission):
            try seek(in: partition, attempt, submission, in: &context)
        case .wait(let submission): try store.addWaiter(submission, to: record.key, now: context.now)
        case .adopt(let submission): try store.removeWaiter(submission, from: record.key)
        case .dismissWaiters: try store.removeWaiters(of: record.key)
        case .restate(let holder, let submission): try restate(holder, submission, in: &context)
        case .tellConflict(let submission): try tellConflict(submission, in: &context)
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
            )
        )
    }

    /// Asks a partition of Orders whether it holds the transaction; also again, when that was lost.
    mutating func seek(
        in partition: Int,
        _ attempt: Int,
        _ submission: Submission?,
        in context: inout HandlerContext
    ) throws {
        let facts = try facts(context.connection)
        try context.send(
            ClaimLookupV1(attempt: attempt, transaction: facts, submission: submission),
            partition: partition
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
            )
        )
    }

    private mutating func tellConflict(_ submission: Submission, in context: inout HandlerContext) throws {
        let facts = try facts(context.connection)
        try context.send(
            TransactionJudgedV1(
                bundleId: facts.bundleId,
                submission: submission,
                transaction: TransactionVerdict(facts.named(by: submission), verdict: .conflict)
            )
        )
    }

    /// The newest facts: those that came with the event, or else those of the row, which is read once.
    private mutating func facts(_ connection: any Connection) throws -> TransactionFacts {
        let facts = try known ?? ClaimStore(connection: connection).facts(record.key)
        known = facts
        return facts
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
