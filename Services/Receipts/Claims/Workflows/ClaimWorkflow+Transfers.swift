import Contracts
import Database
import Delivery

/// Moves a held purchase to another login, with the later periods of its chain.
extension ClaimWorkflow {
    /// The time, and what is known of the chain's transfers if the event may ask for one.
    func transferHistory(for event: Claim.Event) throws(StoreError) -> Transfer.History {
        guard mayRestore(event) else { return Transfer.History(now: context.now) }
        return try store.transferHistory(of: record, now: context.now)
    }

    /// Whether what an event brings, or has waited for it, restores the purchase.
    func mayRestore(_ event: Claim.Event) -> Bool {
        record.claim.proposer?.intent != nil || event.submissions.contains { $0.intent != nil }
    }

    /// Asks the ledger of the holder for the purchase, and for each later period of the chain that the holder has.
    mutating func requestTransfer(
        from holder: Claim.Holder,
        to buyer: BuyerID,
        _ cause: TransferCause
    ) throws {
        try sendRequest(to: holder, for: buyer, cause)
        // What turns out to be another buyer's takes later periods along once it has moved.
        guard cause == .restore else { return }
        for later in try store.periods(after: record, heldBy: holder.buyer) {
            var workflow = ClaimWorkflow(later, in: context)
            let (history, isDecided) = (record.claim.reading.transferHistory, record.claim.isDecided)
            try workflow.follow(to: buyer, history, isDecided: isDecided)
        }
    }

    /// Asks for a later period; nobody waits for it.
    private mutating func follow(
        to buyer: BuyerID,
        _ history: Transfer.History,
        isDecided: Bool = false
    ) throws {
        record.claim.reading.transferHistory = history
        guard let holder = record.claim.follow(to: buyer, isDecided: isDecided) else { return }
        try sendRequest(to: holder, for: buyer, .restore)
        try store.save(record, newer: nil, now: context.now)
    }

    private mutating func sendRequest(
        to holder: Claim.Holder,
        for buyer: BuyerID,
        _ cause: TransferCause
    ) throws {
        let request = TransferRequestedV1(
            transaction: try facts(),
            orderId: holder.order,
            buyerId: holder.buyer,
            toBuyerId: buyer,
            transfer: holder.transfers + 1,
            isAnswered: false,
            cause: cause
        )
        try context.send(request)
    }

    /// Notes that the purchase has moved from one holder to the next; periods that have come meanwhile follow it.
    func noteTransfer(from before: Claim.Holder) throws {
        guard let holder = record.claim.state.holder, holder.transfers > before.transfers else { return }
        guard holder.payer == before.payer else { return try noteMove(from: before, to: holder) }
        let step = TransferStep(number: holder.transfers, from: before.buyer, to: holder.buyer)
        try store.add(step, of: record.key, now: context.now)
        for later in try store.periods(after: record, heldBy: before.buyer) {
            var workflow = ClaimWorkflow(later, in: context)
            try workflow.follow(to: holder.buyer, Transfer.History(now: context.now))
        }
    }

    /// Asks for a renewal that was proposed to the former holder while the period before it moved.
    ///
    /// What was busy when the period before it moved is asked for as well, if it is no renewal.
    func followTransfer(onlyRenewal: Bool, but refused: BuyerID?) throws {
        guard !onlyRenewal || record.claim.reading.chain?.isRenewal == true,
            let renewal = try store.record(record.key)
        else { return }
        var workflow = ClaimWorkflow(renewal, in: context)
        guard let (buyer, cause) = try workflow.departure(), buyer != refused else { return }
        guard cause == .restore else { return try workflow.move(to: buyer, cause) }
        try workflow.follow(to: buyer, Transfer.History(now: context.now))
    }

    /// To whom the period before it has gone from its holder, and why; nil too if somebody has bought it.
    func departure() throws -> (buyer: BuyerID, cause: TransferCause)? {
        guard let holder = record.claim.state.holder,
            let before = try store.heldNeighbours(of: record).before, before.holder != holder.buyer,
            let last = try store.transfers(of: record.key.named(before.purchaseId.rawValue)).last,
            last.from == holder.buyer, try !isBought(record)
        else { return nil }
        return (before.holder, last.cause)
    }

    /// To whom a restore has moved, or moves now, a period before it from its holder; nil too if the holder has bought
    /// it since.
    ///
    /// Periods between them about which Apple's word is awaited, too, go the same way.
    func restorer(of holder: BuyerID) throws -> BuyerID? {
        var place = record
        for _ in 1...ClaimStore.maximumTransferred {
            guard let period = try store.heldNeighbours(of: place).before,
                let before = try store.record(record.key.named(period.purchaseId.rawValue))
            else { return nil }
            guard period.holder == holder else {
                let last = try store.transfers(of: before.key).last
                guard let last, last.cause == .restore, last.from == holder else { return nil }
                let movedAt = before.claim.transfer.movedAt ?? context.now
                let isSince = try record.purchasedAt >= movedAt && isHoldersDeed(record)
                return isSince ? nil : period.holder
            }
            if let requester = before.claim.transfer.requester { return requester }
            guard before.claim.isProvisional else { return nil }
            place = before
        }
        return nil
    }

    /// Sends the requests for transfers again to a partition of Entitlements that was restored.
    mutating func redriveTransfers(to target: PartitionAddress) throws {
        guard let holder = record.claim.state.holder, record.claim.mayHaveSteps else { return }
        let steps = try store.transfers(of: record.key).withPayers + record.claim.openSteps(of: holder)
        for (step, isAnswered) in steps {
            let request = TransferRequestedV1(
                transaction: try facts(),
                orderId: holder.order,
                buyerId: step.from,
                toBuyerId: step.to,
                transfer: step.number,
                isAnswered: isAnswered,
                cause: step.cause
            )
            if context.owner(of: request) == target { try context.send(request) }
        }
    }
}
