import Contracts
import Database
import Delivery
import Domain

struct GrantRecord: Equatable {
    var grant: Grant
    var facts: TransactionFacts
    var order: OrderTerms
    var receiptId: ReceiptID?
    /// The id under which that receipt names the purchase, if it is not the purchase's own.
    var submittedAs: TransactionID?
    /// Whether its proof names an order (`PurchaseReportedV1.namesOrder`).
    var namesOrder: Bool
    /// When the goods came for the first time; nil until then.
    var grantedAt: Timestamp?
    /// The version of the catalog that said what the goods are; nil until they came.
    var catalogVersion: String?
    var changedAt: Timestamp
    /// The message that changed the grant last, its type, and its cause.
    var eventId: EventID
    var eventType: EventType
    var causationId: EventID?

    /// What a message has made of a grant by a catalog, over the `known` one; without a submission, the known one
    /// stays.
    init<Body: Contract>(
        _ grant: Grant,
        of facts: TransactionFacts,
        _ order: OrderTerms,
        _ submission: Submission? = nil,
        by message: Event<Body>,
        _ catalog: Catalog,
        in context: HandlerContext,
        over known: GrantRecord?
    ) {
        self.grant = grant
        self.facts = grant.facts ?? facts
        self.order = order
        receiptId = submission?.receiptId ?? known?.receiptId
        submittedAs = submission == nil ? known?.submittedAs : submission?.transactionId
        namesOrder = known?.namesOrder ?? false
        let hasCome = grant.state == .granted || grant.state == .reversed || !grant.goods.isEmpty
        grantedAt = known?.grantedAt ?? (hasCome ? context.now : nil)
        catalogVersion = known?.catalogVersion ?? (hasCome ? catalog.version : nil)
        changedAt = context.now
        eventId = message.id
        eventType = Body.type
        causationId = message.causationID
    }

    /// The order that its proof names; nil of one that pays an order because the buyer had it open.
    ///
    /// Another payment may have taken that order before: it is still the one that the token names.
    var orderOfProof: OrderID? { namesOrder ? facts.tokenOrder ?? order.orderId : nil }

    /// Whether its proof is of what a compensation stands on; Apple has said so of the transactions of its order.
    func isNamed(by basis: CompensationBasis) -> Bool {
        basis.kind == .appleOrder || orderOfProof != nil && orderOfProof == basis.orderId
    }

    /// Whether its proof may be of what a compensation stands on, though it does not name that.
    func mayBeNamed(by basis: CompensationBasis) -> Bool {
        switch basis.kind {
        case .order: !namesOrder
        case .appleOrder: basis.transactionIds == nil
        case .goodwill: false
        }
    }

    /// The newest submission of the purchase, under the id that it names; nil when no phone submitted it.
    var submission: Submission? {
        receiptId.map {
            Submission(receiptId: $0, submitter: grant.buyerId, transactionId: submittedAs)
        }
    }

    static let columns = """
        grants.buyer_id, grants.state, grants.reason, grants.document, grants.catalog_version, grants.receipt_id,
          grants.changed_at, grants.event_id, grants.event_type, grants.causation_id
        """

    init(_ row: Row) throws(StoreError) {
        let document: GrantDocument = try JSONColumn.value(of: row["document"])
        facts = document.transaction
        order = document.order
        grant = Grant(
            buyerId: try row["buyer_id"],
            state: try Grant.State(name: row["state"], reason: row["reason"]),
            facts: facts,
            goods: document.goods,
            holderStatus: document.holderStatus ?? HolderStatus()
        )
        submittedAs = document.submittedAs
        namesOrder = document.namesNoOrder != true
        receiptId = try row["receipt_id"]
        grantedAt = document.grantedAt
        catalogVersion = try row["catalog_version"]
        changedAt = try row["changed_at"]
        eventId = try row["event_id"]
        eventType = EventType(grantColumn: try row["event_type"])
        causationId = try row["causation_id"]
    }

    func document() throws -> String {
        let document = GrantDocument(
            goods: grant.goods,
            grantedAt: grantedAt,
            order: order,
            transaction: facts,
            submittedAs: submittedAs,
            namesNoOrder: namesOrder ? nil : true,
            holderStatus: grant.holderStatus == HolderStatus() ? nil : grant.holderStatus
        )
        return try JSONColumn.text(document)
    }
}

extension EventType {
    /// The type of a message that changed a grant, as a row has it.
    init(grantColumn type: EventType?) { self = type ?? PurchaseReportedV1.type }

    /// What a row has for it: null for `PurchaseReportedV1`, which nearly all rows follow, so that they stay short.
    var grantColumn: EventType? { self == PurchaseReportedV1.type ? nil : self }
}

extension Grant.State {
    var name: String {
        switch self {
        case .unseen: "unseen"
        case .parked: "parked"
        case .tombstone: "tombstone"
        case .granted: "granted"
        case .reversed: "reversed"
        case .void: "void"
        }
    }

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
        case ("void", nil): self = .void
        default: throw .corrupt("grants.state is \(name)")
        }
    }
}
