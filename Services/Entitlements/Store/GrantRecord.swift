import Contracts
import Database
import EntitlementsCore
import Foundation

/// One row of `grants`: what the ledger holds for a purchase, and the request that made it so.
struct GrantRecord: Equatable {
    var grant: Grant
    var facts: TransactionFacts
    var order: OrderTerms
    var receiptId: ReceiptID?
    /// The id under which that receipt names the purchase, where it is not the purchase's own.
    var submittedAs: TransactionID?
    /// When the goods came for the first time; nil until then.
    var grantedAt: Timestamp?
    var changedAt: Timestamp
    var eventId: EventID
    var causationId: EventID?

    /// The columns that `init(_ row:)` reads, in its order.
    static let columns = """
        buyer_id, state, reason, document, receipt_id, changed_at, event_id, causation_id
        """

    /// What a request made of a grant, of which `known` was known; nil while nothing is known of the purchase.
    init?(
        _ grant: Grant,
        by message: Event<GrantRequestedV1>,
        at time: Timestamp,
        over known: GrantRecord?
    ) {
        guard let facts = grant.facts else { return nil }
        self.grant = grant
        self.facts = facts
        order = message.data.order
        let submission = message.data.submission
        receiptId = submission?.receiptId ?? known?.receiptId
        submittedAs = submission == nil ? known?.submittedAs : submission?.transactionId
        grantedAt = grant.state == .granted ? known?.grantedAt ?? time : known?.grantedAt
        changedAt = time
        eventId = message.id
        causationId = message.causationID
    }

    /// What an operator's retry made of a `known` grant.
    init(_ grant: Grant, by message: Event<GrantRetryV1>, at time: Timestamp, over known: GrantRecord) {
        self = known
        self.grant = grant
        if grant.state == .granted { grantedAt = known.grantedAt ?? time }
        changedAt = time
        eventId = message.id
        causationId = message.causationID
    }

    /// The newest submission of the purchase, under the id that it names; nil where no phone handed it in.
    var submission: Submission? {
        guard let receiptId else { return nil }
        var submission = Submission(receiptId: receiptId, submitter: grant.buyerId)
        submission.transactionId = submittedAs
        return submission
    }

    /// The record that a row holds.
    init(_ row: Row) throws(StoreError) {
        let document = try GrantDocument(json: try row.text(3))
        facts = document.transaction
        order = document.order
        grant = Grant(
            buyerId: BuyerID(unchecked: try row.text(0)),
            state: try Grant.State(name: try row.text(1), reason: try row.optionalText(2)),
            facts: facts,
            goods: document.goods
        )
        submittedAs = document.submittedAs
        receiptId = try row.optionalText(4).map(ReceiptID.init(unchecked:))
        grantedAt = document.grantedAt
        changedAt = Timestamp(milliseconds: try row.integer(5))
        eventId = EventID(unchecked: try row.text(6))
        causationId = try row.optionalText(7).map(EventID.init(unchecked:))
    }

    /// The row's `document`.
    func document() throws -> String {
        let document = GrantDocument(
            goods: grant.goods,
            grantedAt: grantedAt,
            order: order,
            transaction: facts,
            submittedAs: submittedAs
        )
        return String(decoding: try GrantDocument.encoder.encode(document), as: UTF8.self)
    }
}

/// The part of a grant that nothing is looked up by.
private struct GrantDocument: Codable {
    static let encoder = EventCoder.encoder()
    static let decoder = JSONDecoder()

    var goods: [Goods]
    var grantedAt: Timestamp?
    var order: OrderTerms
    var transaction: TransactionFacts
    var submittedAs: TransactionID?
}

extension GrantDocument {
    init(json: String) throws(StoreError) {
        do {
            self = try Self.decoder.decode(Self.self, from: Data(json.utf8))
        } catch {
            throw .corrupt("grants.document is no grant")
        }
    }
}

extension Grant.State {
    /// The state's name in the store.
    var name: String {
        switch self {
        case .unseen: "unseen"
        case .parked: "parked"
        case .tombstone: "tombstone"
        case .granted: "granted"
        case .reversed: "reversed"
        }
    }

    /// The reason, of a state that has one.
    var reason: String? {
        guard case .parked(let reason) = self else { return nil }
        return reason.rawValue
    }

    fileprivate init(name: String, reason: String?) throws(StoreError) {
        switch (name, reason.flatMap(ParkReason.init(rawValue:))) {
        case ("parked", let reason?): self = .parked(reason)
        case ("tombstone", nil): self = .tombstone
        case ("granted", nil): self = .granted
        case ("reversed", nil): self = .reversed
        default: throw .corrupt("grants.state is \(name)")
        }
    }
}
