import Contracts
import Delivery

/// `counterfoil.claim.reassign.v1`: an operator decides whose a purchase is.
struct OnClaimReassign {
    func callAsFunction(
        _ message: Event<ClaimReassignV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReassignmentV1> {
        let request = message.data
        let store = ClaimStore(connection: context.connection)
        let found = try store.records(named: request.purchaseId).filter {
            $0.key.environment == request.environment
                && request.bundleId.map { [$0] }?.contains($0.key.bundleID) != false
        }
        guard let record = found.first else { return .refused(.noSuchPurchase) }
        guard found.count == 1 else { return .refused(.severalApps) }
        let holder = record.claim.state.holder
        let parked = holder == nil ? [] : record.claim.claimants
        if request.buyerId == nil, parked.count > 1 { return .refused(.severalParked(parked)) }
        guard let buyer = request.buyerId ?? parked.first else { return .refused(.noBuyer) }
        guard let effect = record.claim.effect(ofReassigningTo: buyer) else { return .refused(.undecided) }
        let reply = ReassignmentV1(
            bundleId: record.key.bundleID,
            purchaseId: record.key.purchaseID,
            holderId: holder?.buyer,
            orderId: holder?.order,
            heldBy: record.claim.heldBy,
            appAccountToken: record.claim.facts?.token,
            parked: parked,
            buyerId: buyer,
            effect: effect
        )
        guard !request.isDryRun else { return .reply(reply) }
        let type = "counterfoil.claim.reassign.v1 (to \(buyer), by \(request.decidedBy): \(request.reason))"
        let decision = Trace.Entry(time: context.now, type: type, id: message.id.rawValue)
        context.trace(decision, of: record.key.purchaseID.rawValue)
        var workflow = ClaimWorkflow(record, in: context)
        let event = Claim.Event.reassigned(to: buyer, waiting: try store.waiters(record))
        guard try workflow.apply(event) == .applied else { return .refused(.undecided) }
        return .reply(reply)
    }
}

extension RequestRefusal {
    fileprivate static let noSuchPurchase = RequestRefusal(.notFound, "no such purchase is known here")
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
    fileprivate static let undecided = RequestRefusal(
        .conflict,
        "it is being decided whose it is: look at its trace, and try again in a minute"
    )
}
