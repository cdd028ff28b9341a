import Contracts

extension Claim {
    /// What follows from an event besides its directives, once the claim is stored.
    enum FollowUp: Equatable, Sendable {
        /// It has gone from this holder to another one.
        case noteTransfer(from: Holder)
        /// What the new holder handed in before, and was a conflict, goes to the ledger.
        case restateSubmissions
        /// It goes where the period before it has gone, but not to whom the ledger has just refused it; `onlyRenewal`
        /// says whether that is asked of a renewal alone.
        case followTransfer(onlyRenewal: Bool, but: BuyerID? = nil)
        /// What waits beside the holder for Apple's word is judged by it.
        case judgeWaiting
        /// Others are told of the holder.
        case announceHolder
        /// An operator is told that these buyers are parked.
        case alarm([BuyerID])
        /// The period after it is weighed by what is known of this one.
        case weighFollower
        case planRenewalCheck
        case scheduleWork(at: Timestamp)
        /// Apple is spared the question about a purchase that does not wait any more.
        case stopAskingApple
        /// Other claims may know a candidate now, and other chains whose this one is.
        case answerOthers
    }

    /// What follows from `event`, in this order; each row counts for itself.
    ///
    /// Tested by: `ClaimFollowUpTests`.
    ///
    /// *Told*: a statement is the word of Apple's that was awaited.
    ///
    /// | from          | to                                                                           | what follows                                           |
    /// |---------------|------------------------------------------------------------------------------|--------------------------------------------------------|
    /// | not held      | held                                                                         | `followTransfer` of a renewal, `announceHolder`        |
    /// | held          | held by another, or by another order                                         | `noteTransfer`, `restateSubmissions`, `announceHolder` |
    /// | held          | held, and buyers are parked, or still parked after a refund was taken back   | `alarm`                                                |
    /// | held and busy | held as before, and at rest                                                  | `followTransfer` of any                                |
    /// | not held      | held                                                                         | `weighFollower`                                        |
    /// | any           | any, and Apple has said now whose it is                                      | `weighFollower`                                        |
    /// | any           | any with other facts                                                         | `planRenewalCheck`                                     |
    /// | any           | waiting until a time                                                         | `scheduleWork`                                         |
    /// | waiting       | any other, and Apple's word is not awaited                                   | `stopAskingApple`                                      |
    /// | waiting       | orphan                                                                       | `answerOthers`                                         |
    /// | any           | any, by an event that decides whose it is                                    | `answerOthers`                                         |
    /// | undecided     | held, and decided: neither Apple's word nor a challenge is awaited           | `answerOthers`                                         |
    /// | held and told | held as before and at rest, and submissions wait for what it was told        | `judgeWaiting`                                         |
    func followUps(of event: Event, from before: Claim) -> [FollowUp] {
        var followUps = followUps(ofHolderBefore: before.state.holder)
        let parked = newlyParked(since: before)
        if !parked.isEmpty { followUps.append(.alarm(parked)) }
        let isKept = before.state.holder != nil && before.state.holder == state.holder && !isBusy
        if isKept, before.isBusy {
            followUps.append(.followTransfer(onlyRenewal: false, but: event.refusedBuyer))
        }
        let isNewlyHeld = before.state.holder == nil && state.holder != nil
        let isNewlyWhole = before.facts?.isWhole != true && facts?.isWhole == true
        if isNewlyHeld || isNewlyWhole { followUps.append(.weighFollower) }
        if facts != before.facts { followUps.append(.planRenewalCheck) }
        if state == .waiting, let due = evidence.dueAt { followUps.append(.scheduleWork(at: due)) }
        let hasWaited = before.state == .waiting && state != .waiting
        // Whom a named order has given it meanwhile, Apple's word may take it from.
        if hasWaited, !awaitsApple { followUps.append(.stopAskingApple) }
        let isNewlyDecided = before.isUndecided && !isUndecided
        if event.decidesHolder || hasWaited && state == .orphan || isNewlyDecided {
            followUps.append(.answerOthers)
        }
        if isKept, isNewlyWhole, before.awaitsApple, hasWaiters { followUps.append(.judgeWaiting) }
        return followUps
    }

    private func followUps(ofHolderBefore known: Holder?) -> [FollowUp] {
        switch (known, state.holder) {
        case (nil, nil), (_?, nil): []
        case (nil, _?): [.followTransfer(onlyRenewal: true), .announceHolder]
        case (let known?, let holder?):
            known == holder ? [] : [.noteTransfer(from: known), .restateSubmissions, .announceHolder]
        }
    }

    /// Who is parked beside a holder and was not before; all of them after Apple has taken a refund back.
    private func newlyParked(since before: Claim) -> [BuyerID] {
        guard state.holder != nil else { return [] }
        let isReversed = before.facts?.isRevoked == true && facts?.isRevoked != true
        return isReversed ? claimants : claimants.filter { !before.claimants.contains($0) }
    }
}
