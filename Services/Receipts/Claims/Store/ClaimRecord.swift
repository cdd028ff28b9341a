import Contracts
import Database
import Delivery

struct ClaimRecord: Equatable {
    /// The row that an update must find.
    struct Mark: Equatable {
        let state: String
        let attempt: Int
        let since: Timestamp
        let isTransferred: Bool
    }

    let key: PurchaseKey
    let originalTransactionID: TransactionID
    let purchasedAt: Timestamp
    var claim: Claim
    /// The message with the first proof or statement of one of its transactions.
    let verified: Trace.Entry
    var answered: Trace.Entry?
    /// The row as it was read; nil for a new one.
    let stored: Mark?
}

extension ClaimRecord {
    static let columns = """
        purchase_id, bundle_id, environment, original_transaction_id, purchased_at, signed_date, revoked, whole,
          period, shared, assigned, token, token_weighed, evidence, evidence_due_at, state, since, attempt, challenge,
          claimants, handed_in, candidate_kind, candidate, has_unsent_facts, has_waiters, proposer_receipt_id,
          proposer_id, proposer_hint, proposer_transaction_id, proposer_intent, proposer_for_another, buyer_id,
          order_id, transfers, payer_id, transfer_to, transfer_cause, transferred_at, verified_at,
          verified_event_id, verified_cause_id, answered_at, answered_event_id, answered_cause_id, held_by
        """

    init(_ facts: TransactionFacts, _ message: Trace.Entry) {
        self.init(
            key: PurchaseKey(facts),
            originalTransactionID: facts.originalTransactionId,
            purchasedAt: facts.purchaseDate,
            claim: Claim(),
            verified: message,
            stored: nil
        )
    }

    init(_ row: Row) throws(StoreError) {
        key = try PurchaseKey(row)
        originalTransactionID = try row["original_transaction_id"]
        purchasedAt = try row["purchased_at"]
        claim = Claim(
            state: try Claim.State(row),
            facts: ClaimFacts(
                signedDate: try row["signed_date"],
                isRevoked: try row["revoked"],
                isWhole: try row["whole"],
                isPeriod: try row["period"],
                isShared: try row["shared"],
                isAssigned: try row["assigned"],
                token: try row["token"]
            ),
            attempt: try row["attempt"],
            proposer: try Submission(proposing: row),
            hasUnsentFacts: try row["has_unsent_facts"],
            hasWaiters: try row["has_waiters"],
            transfer: try Transfer(row),
            evidence: try AppleEvidence(row),
            isTokenWeighed: try row["token_weighed"],
            heldBy: try row["held_by"],
            isHandedIn: try row["handed_in"],
            challenge: try row.json("challenge"),
            claimants: try row.json("claimants") ?? []
        )
        verified = Trace.Entry(
            time: try row["verified_at"],
            type: TransactionVerifiedV1.type.rawValue,
            id: try row["verified_event_id"],
            causationid: try row["verified_cause_id"]
        )
        stored = Mark(
            state: try row["state"],
            attempt: claim.attempt,
            since: try row["since"],
            isTransferred: claim.isTransferred
        )
        guard let time: Timestamp = try row["answered_at"] else { return }
        answered = Trace.Entry(
            time: time,
            type: (claim.state.holder == nil ? ClaimRefusedV1.type : ClaimHeldV1.type).rawValue,
            id: try row["answered_event_id"],
            causationid: try row["answered_cause_id"]
        )
    }

    /// The columns of transfers, which a claim has that was ever asked for by another login.
    private var transferColumns: [(key: String, value: Value)] {
        guard claim.isTransferred || stored?.isTransferred == true else { return [] }
        let holder = claim.state.holder
        return [
            ("transfers", Value(holder?.transfers ?? claim.transfer.takenBack?.transfer ?? 0)),
            ("payer_id", Value(holder?.transferred?.payerId)),
            ("transfer_to", Value(claim.transfer.requester ?? claim.transfer.takenBack?.buyer)),
            ("transfer_cause", Value(claim.transfer.takenBack?.cause)),
            ("transferred_at", Value(claim.transfer.movedAt)),
        ]
    }

    func changing(now: Timestamp) throws -> [(key: String, value: Value)] {
        let candidate = try claim.state.candidate()
        let holder = claim.state.holder
        let since = stored.map { $0.state == claim.state.name ? $0.since : now } ?? now
        let columns: KeyValuePairs<String, Value> = [
            "signed_date": Value(claim.facts?.signedDate ?? Timestamp(milliseconds: 0)),
            "revoked": Value(claim.facts?.isRevoked ?? false),
            "whole": Value(claim.facts?.isWhole ?? false),
            "period": Value(claim.facts?.isPeriod ?? false),
            "shared": Value(claim.facts?.isShared ?? false),
            "assigned": Value(claim.facts?.isAssigned ?? false),
            "token": Value(claim.facts?.token),
            "token_weighed": Value(claim.isTokenWeighed),
            "evidence": Value(claim.evidence.name),
            "evidence_due_at": Value(claim.evidence.dueAt),
            "state": Value(claim.state.name),
            "since": Value(since),
            "attempt": Value(claim.attempt),
            "candidate_kind": Value(candidate?.kind),
            "candidate": Value(candidate?.text),
            "has_unsent_facts": Value(claim.hasUnsentFacts),
            "has_waiters": Value(claim.hasWaiters),
            "proposer_receipt_id": Value(claim.proposer?.receiptId),
            "proposer_id": Value(claim.proposer?.submitter),
            "proposer_hint": Value(claim.proposer?.orderId),
            "proposer_transaction_id": Value(claim.proposer?.transactionId),
            "proposer_intent": Value(claim.proposer?.intent),
            "proposer_for_another": Value(claim.proposer?.isForAnother),
            "buyer_id": Value(holder?.buyer),
            "order_id": Value(holder?.order),
            "answered_at": Value(answered?.time),
            "answered_event_id": Value(answered?.id),
            "answered_cause_id": Value(answered?.causationid),
            "held_by": Value(claim.heldBy),
            "challenge": Value(try claim.challenge.map(JSONColumn.text)),
            "claimants": Value(try claim.claimants.isEmpty ? nil : JSONColumn.text(claim.claimants)),
            "handed_in": Value(claim.isHandedIn),
        ]
        return columns + transferColumns
    }
}

extension Submission {
    fileprivate init?(proposing row: Row) throws(StoreError) {
        guard let receipt: ReceiptID = try row["proposer_receipt_id"] else { return nil }
        self.init(
            receiptId: receipt,
            submitter: try row["proposer_id"],
            orderId: try row["proposer_hint"],
            transactionId: try row["proposer_transaction_id"],
            intent: try row["proposer_intent"],
            isForAnother: try row["proposer_for_another"]
        )
    }
}

extension Transfer {
    /// A row without holder has what the ledger has taken back before.
    fileprivate init(_ row: Row) throws(StoreError) {
        let (buyer, state): (BuyerID?, String) = (try row["transfer_to"], try row["state"])
        if let buyer, state != "held" {
            self.init(takenBackFor: buyer, transfer: try row["transfers"], try row["transfer_cause"])
        } else {
            self.init(requester: buyer, movedAt: try row["transferred_at"])
        }
    }
}

extension AppleEvidence {
    /// Its name in the table; nil where nobody was asked.
    var name: String? {
        switch self {
        case .notAsked: nil
        case .awaited: "awaited"
        case .pressed: "pressed"
        case .overdue: "overdue"
        case .complete: "complete"
        }
    }

    fileprivate init(_ row: Row) throws(StoreError) {
        switch try row["evidence"] as String? {
        case nil: self = .notAsked
        case "awaited"?: self = .awaited(until: try row["evidence_due_at"])
        case "pressed"?: self = .pressed(until: try row["evidence_due_at"])
        case "overdue"?: self = .overdue(askingAt: try row["evidence_due_at"])
        case "complete"?: self = .complete
        case let state?: throw .corrupt("claim.evidence is \(state)")
        }
    }
}

extension Claim.Holder {
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(buyer: try row["buyer_id"], order: try row["order_id"])
        guard let payer: BuyerID = try row["payer_id"] else { return }
        transferred = Transferred(count: try row["transfers"], payerId: payer)
    }
}

extension Claim.State {
    var name: String {
        switch self {
        case .unclaimed: "unclaimed"
        case .waiting: "waiting"
        case .lookingUp, .proposed: "proposed"
        case .held: "held"
        case .orphan: "orphan"
        }
    }

    fileprivate func candidate() throws -> (kind: String, text: String)? {
        switch self {
        case .lookingUp(let pending): ("lookup", try JSONColumn.text(pending))
        case .proposed(.token(let token)): ("token", token)
        case .proposed(.registered(let buyer)): ("registered", buyer.rawValue)
        case .proposed(.order(let order)): ("order", order.rawValue)
        case .proposed(.holder(let buyer)): ("holder", buyer.rawValue)
        case .proposed(.caller(let buyer)): ("caller", buyer.rawValue)
        case .unclaimed, .waiting, .held, .orphan: nil
        }
    }

    fileprivate init(_ row: Row) throws(StoreError) {
        switch (try row["state"] as String, try row["candidate_kind"] as String?) {
        case ("proposed", "lookup"): self = .lookingUp(try JSONColumn.value(of: row["candidate"]))
        case ("proposed", "token"): self = .proposed(.token(try row["candidate"]))
        case ("proposed", "registered"): self = .proposed(.registered(try row["candidate"]))
        case ("proposed", "order"): self = .proposed(.order(try row["candidate"]))
        case ("proposed", "holder"): self = .proposed(.holder(try row["candidate"]))
        case ("proposed", "caller"): self = .proposed(.caller(try row["candidate"]))
        case ("held", nil): self = .held(try Claim.Holder(row))
        case ("orphan", nil): self = .orphan
        case ("waiting", nil): self = .waiting
        case (let state, _): throw .corrupt("claim.state is \(state)")
        }
    }
}
