import Contracts
import Database
import Delivery

/// Moves a held purchase to another login, with the later periods of its chain.
extension ClaimWorkflow {
    /// The time, and what is known of the chain's transfers if the event may ask for one.
    func transferHistory(
        for event: Claim.Event,
        in context: HandlerContext
    ) throws(StoreError) -> TransferHistory {
        let submissions = event.submissions + [record.claim.proposer].compactMap(\.self)
        guard submissions.contains(where: { $0.intent == .restore }) else {
            return TransferHistory(now: context.now)
        }
        return try ClaimStore(connection: context.connection).transferHistory(of: record, now: context.now)
    }

    /// Asks the ledger of the holder for the purchase, and for each later period of the chain that the holder has.
    mutating func requestTransfer(
        from holder: Claim.Holder,
        to buyer: BuyerID,
        _ cause: TransferCause,
        in context: inout HandlerContext
    ) throws {
        try send(from: holder, to: buyer, cause, in: &context)
        // What turns out to be another buyer's takes later periods along once it has moved.
        guard cause == .restore else { return }
        let store = ClaimStore(connection: context.connection)
        for later in try store.periods(after: record, heldBy: holder.buyer) {
            var workflow = ClaimWorkflow(later)
            let (history, isDecided) = (record.claim.transferHistory, record.claim.isDecided)
            try workflow.follow(to: buyer, history, isDecided: isDecided, in: &context)
        }
    }

    /// Asks for a later period; nobody waits for it.
    private mutating func follow(
        to buyer: BuyerID,
        _ history: TransferHistory,
        isDecided: Bool = false,
        in context: inout HandlerContext
    ) throws {
        record.claim.transferHistory = history
        guard let holder = record.claim.follow(to: buyer, isDecided: isDecided) else { return }
        try send(from: holder, to: buyer, .restore, in: &context)
        try ClaimStore(connection: context.connection).save(record, newer: nil, now: context.now)
    }

    private mutating func send(
        from holder: Claim.Holder,
        to buyer: BuyerID,
        _ cause: TransferCause,
        in context: inout HandlerContext
    ) throws {
        try context.send(
            TransferRequestedV1(
                transaction: try facts(ClaimStore(connection: context.connection)),
                orderId: holder.order,
                buyerId: holder.buyer,
                toBuyerId: buyer,
                transfer: holder.transfers + 1,
                isSettled: false,
                cause: cause
            )
        )
    }

    /// Notes that the purchase has moved from one holder to the next; periods that have come meanwhile follow it.
    func noteTransfer(from before: Claim.Holder, in context: inout HandlerContext) throws {
        guard let holder = record.claim.state.holder, holder.transfers > before.transfers else { return }
        let store = ClaimStore(connection: context.connection)
        guard holder.payer == before.payer else {
            return try noteMove(from: before, to: holder, in: &context)
        }
        let step = TransferStep(number: holder.transfers, from: before.buyer, to: holder.buyer)
        try store.add(step, of: record.key, now: context.now)
        for later in try store.periods(after: record, heldBy: before.buyer) {
            var workflow = ClaimWorkflow(later)
            try workflow.follow(to: holder.buyer, TransferHistory(now: context.now), in: &context)
        }
    }

    /// Asks for a renewal that was proposed to the former holder while the period before it moved.
    ///
    /// What was busy when the period before it moved is asked for as well, if it is no renewal.
    func followTransfer(onlyRenewal: Bool = true, in context: inout HandlerContext) throws {
        guard let holder = record.claim.state.holder, !onlyRenewal || record.claim.chain?.isRenewal == true
        else { return }
        let store = ClaimStore(connection: context.connection)
        guard let before = try store.heldNeighbours(of: record).before, before.holder != holder.buyer,
            let last = try store.transfers(of: record.key.named(before.purchaseId.rawValue)).last,
            last.from == holder.buyer, let renewal = try store.record(record.key)
        else { return }
        // What somebody has bought since is theirs.
        if try isBought(renewal, store) { return }
        var workflow = ClaimWorkflow(renewal)
        guard last.cause == .restore else {
            return try workflow.follow(before.holder, last.cause, in: &context)
        }
        try workflow.follow(to: before.holder, TransferHistory(now: context.now), in: &context)
    }

    /// Sends the requests for transfers again to a partition of Entitlements that was restored.
    mutating func redriveTransfers(to target: PartitionAddress, in context: inout HandlerContext) throws {
        guard let holder = record.claim.state.holder, record.claim.mayHaveSteps else { return }
        let store = ClaimStore(connection: context.connection)
        let steps = try store.transfers(of: record.key).withPayers + record.claim.openSteps(of: holder)
        for (step, isSettled) in steps {
            let request = TransferRequestedV1(
                transaction: try facts(store),
                orderId: holder.order,
                buyerId: step.from,
                toBuyerId: step.to,
                transfer: step.number,
                isSettled: isSettled,
                cause: step.cause
            )
            if context.owner(of: request) == target { try context.send(request) }
        }
    }
}

extension Claim.Event {
    /// The submissions that it brings, or that wait for it.
    var submissions: [Submission] {
        switch self {
        case .submitted(_, let submission): [submission]
        case .held(_, _, let waiting), .redriven(_, _, let waiting), .transferred(_, _, let waiting):
            waiting
        case .refused(_, _, _, let waiting), .evidenceDue(let waiting, _), .answered(_, _, _, let waiting),
            .reassigned(_, let waiting):
            waiting
        case .reported, .retried, .evidenceSettled: []
        }
    }
}
