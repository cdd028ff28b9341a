import Contracts
import Delivery
import Domain

/// What operators decide of a purchase: to whom it goes.
struct Reassignments {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    private var store: ClaimStore { ClaimStore(connection: context.connection) }

    /// The one purchase of this partition with a name.
    ///
    /// - Throws: `StoreError`, `RequestRefusal`.
    func record(
        of purchase: PurchaseID,
        in bundle: BundleID?,
        _ environment: Environment
    ) throws -> ClaimRecord {
        let found = try store.records(named: purchase).filter {
            $0.key.environment == environment && bundle.map { [$0] }?.contains($0.key.bundleID) != false
        }
        guard let record = found.first else { throw RequestRefusal.noSuchPurchase }
        guard found.count == 1 else { throw RequestRefusal.severalApps }
        return record
    }

    /// What a decision for a buyer would do; without one, for whose submission is parked.
    ///
    /// - Throws: `StoreError`, `RequestRefusal`.
    func look(at record: ClaimRecord, for named: BuyerID?) throws -> ReassignmentV1 {
        let holder = record.claim.state.holder
        let parked = holder == nil ? [] : record.claim.claimants
        if named == nil, parked.count > 1 { throw RequestRefusal.severalParked(parked) }
        guard let buyer = named ?? parked.first else { throw RequestRefusal.noBuyer }
        guard let effect = record.claim.effect(ofReassigningTo: buyer) else {
            throw RequestRefusal.undecided
        }
        return ReassignmentV1(
            bundleId: record.key.bundleID,
            purchaseId: record.key.purchaseID,
            names: try store.names(of: record.key).map { PurchaseID(unchecked: $0) },
            productId: try store.facts(record.key).productId,
            holderId: holder?.buyer,
            orderId: holder?.order,
            heldBy: record.claim.heldBy,
            appAccountToken: record.claim.facts?.token,
            parked: parked,
            buyerId: buyer,
            effect: effect
        )
    }

    /// Stores that a proposal has ended, and records it.
    func end(
        _ ended: ProposedReassignment,
        as kind: Act.Kind,
        by acting: OperatorID,
        because reason: String
    ) throws {
        let proposal = ended.content
        try ReassignmentStore(connection: context.connection).decide(proposal)
        try context.record(
            kind,
            of: proposal.purchaseId.rawValue,
            proposal: proposal.proposalId,
            by: acting,
            for: Pseudonym.of(proposal.buyerId, in: proposal.bundleId),
            because: reason,
            from: "proposed: \(proposal.proposalId)",
            to: "void: \(proposal.proposalId)"
        )
    }

    /// Does what was looked at, and records it.
    ///
    /// - Throws: `StoreError`, `RequestRefusal`.
    func decide<Body: Contract>(
        _ look: ReassignmentV1,
        of record: ClaimRecord,
        by acting: OperatorID,
        because reason: String,
        _ message: Event<Body>,
        as kind: Act.Kind? = nil,
        proposal: ProposalID? = nil
    ) throws {
        let type = "\(Body.type.rawValue) (to \(look.buyerId), by \(acting): \(reason))"
        let decision = Trace.Entry(time: context.now, type: type, id: message.id.rawValue)
        context.trace(decision, of: record.key.purchaseID.rawValue)
        var workflow = ClaimWorkflow(record, in: context)
        let event = Claim.Event.reassigned(to: look.buyerId, waiting: try store.waiters(record))
        guard try workflow.apply(event) == .applied else { throw RequestRefusal.undecided }
        let bundle = record.key.bundleID
        let holder = look.holderId.map { Pseudonym.of($0, in: bundle) }
        switch look.effect {
        case .nothing, .underWay: return
        case .moves, .proposed:
            try context.record(
                kind ?? (look.effect == .proposed ? .assigned : .reassigned),
                of: record.key.purchaseID.rawValue,
                proposal: proposal,
                by: acting,
                for: Pseudonym.of(look.buyerId, in: bundle),
                because: reason,
                from: holder.map { "held by \($0)" } ?? "held by nobody",
                to: "held by \(Pseudonym.of(look.buyerId, in: bundle))"
            )
        }
    }
}

extension RequestRefusal {
    fileprivate static let noSuchPurchase = RequestRefusal(
        .notFound,
        "no such purchase is known here",
        field: "purchaseId"
    )
    fileprivate static let severalApps = RequestRefusal(
        .invalid,
        "several apps have such a purchase: name one with --app",
        field: "bundleId"
    )
    fileprivate static let noBuyer = RequestRefusal(
        .invalid,
        "nobody's submission is parked for it: name the buyer with --buyer",
        field: "buyerId"
    )
    fileprivate static func severalParked(_ buyers: [BuyerID]) -> RequestRefusal {
        let names = buyers.map(\.rawValue).joined(separator: ", ")
        return RequestRefusal(
            .invalid,
            "submissions of several buyers are parked for it, \(names): name one with --buyer",
            field: "buyerId"
        )
    }
    static let isNotHeld = RequestRefusal(
        .conflict,
        "it is held by nobody else, so that nothing moves",
        field: "purchaseId",
        reason: "notHeld"
    )
}
