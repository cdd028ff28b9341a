import Contracts
import Database
import Delivery
import Domain

/// Gives a held purchase to the buyer whose it turns out to be, with the later periods of its chain.
extension ClaimWorkflow {
    /// Has Orders pay the newcomer's order, and release the one that loses it.
    mutating func moveClaim(
        to newcomer: Challenge.Newcomer,
        from holder: Claim.Holder,
        by transfer: Int
    ) throws {
        let moved = ClaimMovedV1(
            transaction: try facts(),
            buyerId: newcomer.buyer,
            orderId: newcomer.order,
            fromOrderId: holder.order,
            transfer: transfer,
            evidence: newcomer.evidence
        )
        try context.send(moved)
        try context.send(release(of: holder.order, by: transfer))
    }

    func release(of order: OrderID, by transfer: Int) -> OrderReleasedV1 {
        OrderReleasedV1(
            bundleId: record.key.bundleID,
            environment: record.key.environment,
            orderId: order,
            purchaseId: record.key.purchaseID,
            transfer: transfer
        )
    }

    /// Releases again, in a restored partition of Orders, what the purchase has paid before.
    func redriveReleases(to target: PartitionAddress) throws {
        guard record.claim.mayHaveSteps else { return }
        for step in try store.transfers(of: record.key) {
            guard let order = step.lost else { continue }
            let release = release(of: order, by: step.number)
            if context.owner(of: release) == target { try context.send(release) }
        }
    }

    /// Notes that the purchase has another payer; the later periods that the former one has by it follow, up to one
    /// that somebody has bought.
    func noteMove(from before: Claim.Holder, to holder: Claim.Holder) throws {
        let cause: TransferCause = record.claim.heldBy == .reassigned ? .reassign : .evidence
        var step = TransferStep(number: holder.transfers, from: before.buyer, to: holder.buyer)
        (step.cause, step.lost) = (cause, before.order)
        if cause == .reassign, before.payer != before.buyer { step.payer = before.payer }
        try store.add(step, of: record.key, now: context.now)
        for period in try store.periods(after: record, heldBy: before.buyer).reversed() {
            if try isBought(period) { break }
            var workflow = ClaimWorkflow(period, in: context)
            try workflow.move(to: holder.buyer, cause)
        }
    }

    /// Asks the ledger of the holder for a later period, which goes with the one before it.
    mutating func move(to buyer: BuyerID, _ cause: TransferCause) throws {
        guard record.claim.mayFollow, record.claim.transfer.state == .resting,
            record.claim.state.holder?.buyer != buyer
        else { return }
        let evidence: HolderEvidence = cause == .reassign ? .reassigned : .holder
        let directives = record.claim.takeBack(for: Challenge.Newcomer(buyer: buyer, evidence: evidence))
        for directive in directives { try carryOut(directive) }
        try store.save(record, newer: nil, now: context.now)
    }

    /// Weighs the token of the next period, now that it is known what the one before it states.
    func weighFollower() throws {
        guard let next = try store.follower(of: record), next.claim.mayWeigh(.retried) else { return }
        var workflow = ClaimWorkflow(next, in: context)
        _ = try workflow.apply(.retried)
    }

    /// Whether somebody's own deed has given it to the holder, or is giving it to another; an order that is named gives
    /// a renewal, too.
    func isBought(_ period: ClaimRecord) throws -> Bool {
        try period.claim.isLeavingByToken || isHoldersDeed(period)
    }

    /// Whether a token or an operator has given it to the holder, or an order what Apple calls a purchase.
    func isHoldersDeed(_ period: ClaimRecord) throws -> Bool {
        switch period.claim.heldBy {
        case .token, .registered, .reassigned: true
        case .order: try reason(of: period) == "PURCHASE"
        case .holder, .caller, .known, nil: false
        }
    }

    /// What Apple has stated of it last counts: an app receipt does not say the reason.
    private func reason(of period: ClaimRecord) throws -> String? {
        if period.key == record.key, let reason = incoming?.transactionReason { return reason }
        return try store.signed(period.key).transactionReason
    }

    /// Tells an operator of newcomers who are parked, unless there is nothing to have.
    mutating func alarmContested(by claimants: [BuyerID]) throws {
        guard let holder = record.claim.state.holder, try !RefundedShare(facts()).isFull else { return }
        for claimant in claimants {
            context.alarm(
                .purchaseContested,
                """
                the purchase \(record.key.purchaseID) of \(record.key.bundleID) is held by \(holder.buyer) on weaker \
                evidence than that of \(claimant), who is parked: decide with `counterfoil reassign`
                """
            )
        }
    }

    /// Ends what nobody needs to decide now: of a purchase that is refunded in full there is nothing to have.
    ///
    /// Who was parked is still known, in case Apple takes the refund back.
    mutating func endContest() throws {
        let claim = record.claim
        guard claim.state.holder != nil, !claim.claimants.isEmpty, claim.hasWaiters, !claim.isBusy else {
            return
        }
        guard try RefundedShare(facts()).isFull else { return }
        for submission in try store.waiters(record) {
            try send(.ended, "refunded", to: submission)
        }
        try store.removeWaiters(of: record.key)
        record.claim.hasWaiters = false
    }
}
