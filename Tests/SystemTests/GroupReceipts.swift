import Contracts
import Delivery

@testable import Receipts

/// Receipts as it is, or with handlers in others' places that break a law on purpose.
struct GroupReceipts: GroupService {
    let real: ReceiptsService
    let variant: GroupVariant

    func register(in table: inout HandlerTable) {
        real.register(in: &table)
        switch variant {
        case .weighsTokensAgain: table.on(TransferAnsweredV1.self, weighAgain)
        case .grantsBeforeTaking:
            table.on(ChallengeAnsweredV1.self, grantUnasked)
            table.on(ClaimHeldV1.self, takeLate)
        case .hintsTake:
            table.on(TransactionVerifiedV1.self, weighHint)
            table.on(ChallengeAnsweredV1.self, takeByHint)
        default: break
        }
    }

    /// A token that is news again once a restore has moved the purchase.
    private func weighAgain(
        _ message: Event<TransferAnsweredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let outcome = try OnTransferAnswered()(message, in: context)
        let answered = message.data
        let store = ClaimStore(connection: context.connection)
        guard answered.isTaken, answered.cause == .restore,
            let record = try store.record(of: answered.transaction), !record.claim.isBusy,
            record.claim.state.holder?.transferred != nil, let token = record.claim.facts?.token
        else { return outcome }
        var workflow = ClaimWorkflow(record, in: context)
        try workflow.challenge(.token(token))
        return outcome
    }

    /// A purchase whose token names another buyer is given to that one, and the ledger of its holder is not asked
    /// before.
    private func grantUnasked(
        _ message: Event<ChallengeAnsweredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        guard let named = try NamedNewcomer(by: message.data, in: context), case .token = named.candidate
        else { return try OnChallengeAnswered()(message, in: context) }
        let (holder, newcomer) = (named.holder, named.newcomer(.token))
        let transfer = holder.transfers + 1
        var workflow = ClaimWorkflow(named.record, in: context)
        workflow.record.claim.isTokenWeighed = true
        workflow.record.claim.challenge = .moving(newcomer, transfer: transfer)
        try workflow.carryOut([.moveClaim(to: newcomer, from: holder, transfer: transfer)])
        return .applied
    }

    /// The ledger of the former holder is asked when the newcomer has the purchase.
    private func takeLate(_ message: Event<ClaimHeldV1>, in context: HandlerContext) throws -> Outcome {
        let answer = message.data
        let key = PurchaseKey(answer.environment, answer.bundleId, answer.purchaseId)
        let store = ClaimStore(connection: context.connection)
        let before = try store.record(key)?.claim
        let outcome = try OnClaimHeld()(message, in: context)
        guard let former = before?.state.holder, case .moving(let newcomer, _) = before?.challenge,
            let record = try store.record(key), record.claim.state.holder?.buyer == newcomer.buyer
        else { return outcome }
        var workflow = ClaimWorkflow(record, in: context)
        try workflow.carryOut([.requestTransfer(from: former, to: newcomer.buyer, newcomer.cause)])
        return outcome
    }

    /// An order that a submission names is weighed, however firmly another buyer has the purchase.
    private func weighHint(
        _ message: Event<TransactionVerifiedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let outcome = try OnTransactionVerified(policies: real.submissions.policies)(message, in: context)
        let store = ClaimStore(connection: context.connection)
        guard let facts = TransactionFacts(message.data.transaction),
            let submission = message.data.submission,
            let order = submission.hintedOrder, let record = try store.record(of: facts),
            let holder = record.claim.state.holder, holder.buyer != submission.submitter,
            holder.order != order, !record.claim.isBusy
        else { return outcome }
        var workflow = ClaimWorkflow(record, in: context)
        try workflow.challenge(.order(order))
        return outcome
    }

    /// An order that was named takes the purchase from its holder.
    private func takeByHint(
        _ message: Event<ChallengeAnsweredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        guard let named = try NamedNewcomer(by: message.data, in: context), case .order = named.candidate
        else { return try OnChallengeAnswered()(message, in: context) }
        var workflow = ClaimWorkflow(named.record, in: context)
        let directives = workflow.record.claim.takeBack(for: named.newcomer(.order))
        try workflow.carryOut(directives)
        return .applied
    }
}

/// Another buyer than the holder, whom Orders names in answer to the challenge that is under way.
private struct NamedNewcomer {
    let record: ClaimRecord
    let holder: Claim.Holder
    let candidate: ClaimCandidate
    private let buyer: BuyerID
    private let order: OrderID?

    /// Nil where nobody else is named.
    init?(by answer: ChallengeAnsweredV1, in context: HandlerContext) throws {
        guard let record = try ClaimStore(connection: context.connection).record(answer.key),
            let holder = record.claim.state.holder, let buyer = answer.buyerId, buyer != holder.buyer,
            case .asking(let candidate, let attempt) = record.claim.challenge, attempt == answer.attempt
        else { return nil }
        (self.record, self.holder, self.candidate) = (record, holder, candidate)
        (self.buyer, order) = (buyer, answer.orderId)
    }

    func newcomer(_ evidence: HolderEvidence) -> Challenge.Newcomer {
        Challenge.Newcomer(buyer: buyer, order: order, evidence: evidence)
    }
}

extension ClaimWorkflow {
    /// Has Orders asked whom a candidate names, whatever speaks against that.
    fileprivate mutating func challenge(_ candidate: ClaimCandidate) throws {
        let attempt = record.claim.attempt + 1
        record.claim.attempt = attempt
        record.claim.challenge = .asking(candidate, attempt: attempt)
        try carryOut([.challenge(attempt: attempt, candidate)])
    }

    /// Stores the claim as it is now, with what follows.
    fileprivate mutating func carryOut(_ directives: [Claim.Directive]) throws {
        for directive in directives { try carryOut(directive) }
        try store.save(record, newer: nil, now: context.now)
    }
}

extension ChallengeAnsweredV1 {
    fileprivate var key: PurchaseKey { PurchaseKey(environment, bundleId, purchaseId) }
}
