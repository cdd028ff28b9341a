import Contracts
import Database
import ReceiptsCore

extension ClaimRecord {
    static let columns = """
        purchase_id, bundle_id, environment, original_transaction_id, signed_date, revoked, token, state, since, \
        attempt, candidate_kind, candidate, has_unsent_facts, has_waiters, proposer_receipt_id, proposer_id, proposer_hint, \
        buyer_id, order_id, verified_at, verified_event_id, verified_cause_id, answered_at, answered_event_id, \
        answered_cause_id, proposer_transaction_id
        """

    init(row: Row) throws(StoreError) {
        key = PurchaseKey(
            environment: Environment(rawValue: try row.text(2)),
            bundleID: BundleID(unchecked: try row.text(1)),
            purchaseID: PurchaseID(unchecked: try row.text(0))
        )
        originalTransactionID = TransactionID(unchecked: try row.text(3))
        let facts = ClaimFacts(
            signedDate: Timestamp(milliseconds: try row.integer(4)),
            isRevoked: try row.integer(5) == 1,
            token: try row.optionalText(6)
        )
        let attempt = try row.int(9)
        claim = Claim(
            state: try Self.state(row),
            facts: facts,
            attempt: attempt,
            proposer: try Self.proposer(row),
            hasUnsentFacts: try row.integer(12) == 1,
            hasWaiters: try row.integer(13) == 1
        )
        verified = Step(
            time: Timestamp(milliseconds: try row.integer(19)),
            eventID: try row.text(20),
            causeID: try row.optionalText(21)
        )
        answered = try Self.answered(row)
        stored = Mark(
            state: try row.text(7),
            attempt: attempt,
            since: Timestamp(milliseconds: try row.integer(8))
        )
    }

    private static func state(_ row: Row) throws(StoreError) -> Claim.State {
        switch try row.text(7) {
        case "proposed":
            let (kind, text) = (try row.text(10), try row.text(11))
            if kind == Claim.State.lookupKind, let open = PendingLookup.all(in: text) {
                return .lookingUp(open)
            }
            guard let candidate = ClaimCandidate(kind: kind, text: text) else {
                throw .corrupt("claim.candidate_kind")
            }
            return .proposed(candidate)
        case "held":
            let (buyer, order) = (try row.text(17), try row.text(18))
            return .held(Claim.Holder(buyer: BuyerID(unchecked: buyer), order: OrderID(unchecked: order)))
        case "orphan": return .orphan
        default: throw .corrupt("claim.state")
        }
    }

    private static func proposer(_ row: Row) throws(StoreError) -> Submission? {
        guard let receipt = try row.optionalText(14) else { return nil }
        return Submission(
            receiptId: ReceiptID(unchecked: receipt),
            submitter: BuyerID(unchecked: try row.text(15)),
            orderId: try row.optionalText(16),
            transactionId: try row.optionalText(25).map(TransactionID.init(unchecked:))
        )
    }

    private static func answered(_ row: Row) throws(StoreError) -> Step? {
        guard let time = try row.optionalInteger(22) else { return nil }
        return Step(
            time: Timestamp(milliseconds: time),
            eventID: try row.text(23),
            causeID: try row.optionalText(24)
        )
    }

    /// The mutable values, in the order of `ClaimStore.changing`.
    func changing(now: Timestamp) -> [Value] {
        let candidate = claim.state.candidateColumns
        let holder: Claim.Holder? = if case .held(let holder) = claim.state { holder } else { nil }
        let since = stored.map { $0.state == claim.state.name ? $0.since : now } ?? now
        return [
            .integer(claim.facts?.signedDate.milliseconds ?? 0),
            Value(claim.facts?.isRevoked ?? false),
            Value(claim.facts?.token),
            .text(claim.state.name), .integer(since.milliseconds), Value(claim.attempt),
            Value(candidate?.kind), Value(candidate?.text),
            Value(claim.hasUnsentFacts), Value(claim.hasWaiters),
            Value(claim.proposer?.receiptId.rawValue), Value(claim.proposer?.submitter.rawValue),
            Value(claim.proposer?.orderId), Value(claim.proposer?.transactionId?.rawValue),
            Value(holder?.buyer.rawValue), Value(holder?.order.rawValue),
            .integer(verified.time.milliseconds), .text(verified.eventID), Value(verified.causeID),
            Value(answered?.time.milliseconds), Value(answered?.eventID), Value(answered?.causeID),
        ]
    }
}
