import Contracts
import TestKit

/// Dealings in subscriptions, whose periods last for minutes here.
extension GroupScriptWriter {
    private static let minute: Int64 = 60_000

    mutating func writeSubscription(_ workload: GroupWorkload) {
        switch workload {
        case .subscription:
            let first = firstPeriod(until: 20)
            if random.flip() { submit(first, by: other, sold(first).again, after: Self.later) }
        case .periodRestored: writeRestoredPeriod()
        case .sharedPhonePeriod: for _ in 0..<2 { writeSharedPhonePeriod() }
        case .lapsed: for _ in 0..<3 { writeLapsed() }
        case .renewal, .renewalFirst, .renewalAlone, .renewalsInAnyOrder: writeRenewal(workload)
        case .seatsAdded, .seatsRefunded: for _ in 0..<2 { writeSeats(workload) }
        case .seatAssigned: for _ in 0..<2 { writeAssigned() }
        case .upgrade, .upgradeRefunded, .upgradeUnknown: writeUpgrade(workload)
        case .moved, .movedBack: writeMove(workload)
        case .periodRefunded, .oldPeriodRefunded, .periodRefundReversed: writePeriodRefund(workload)
        case .runningPeriodRefunded: writeRunningRefund()
        case .daysRefunded: writeRefundOfDays()
        case .revived: writeRevival()
        default: writeEnd(workload)
        }
    }

    // MARK: Periods

    func sold(_ number: Int) -> GroupPeriod {
        script.transactions[number].period ?? GroupPeriod(chain: number, begins: 0, ends: 0)
    }

    /// Sells a period from and to so many minutes of the run; the first one of a subscription unless it goes on with
    /// one.
    mutating func sell(
        _ product: GroupProduct,
        _ token: GroupToken,
        from begins: Int64,
        to ends: Int64,
        after forerunner: Int? = nil,
        isRenewal: Bool = false
    ) -> Int {
        let number = buy(token, product)
        let known = forerunner.map { sold($0) }
        var period = GroupPeriod(
            chain: known?.chain ?? number,
            begins: begins * Self.minute,
            ends: ends * Self.minute,
            isRenewal: isRenewal
        )
        period.hasLineItem = known?.hasLineItem ?? !random.happens(perMille: 200)
        script.transactions[number].period = period
        return number
    }

    mutating func renew(_ number: Int, until ends: Int64, _ token: GroupToken) -> Int {
        let (period, product) = (sold(number), script.transactions[number].product)
        let begins = period.ends / Self.minute
        return sell(product, token, from: begins, to: ends, after: number, isRenewal: true)
    }

    /// The buyer's first period, which a phone hands in; it began ten minutes before its end or the run.
    mutating func firstPeriod(_ product: GroupProduct = .club, until ends: Int64) -> Int {
        let order = order(product)
        let token: GroupToken = random.flip() ? .order(order) : .none
        let first = sell(product, token, from: min(ends, 0) - 10, to: ends)
        submit(first, by: own, sold(first).first, hint: random.flip() ? .order(order) : .none)
        return first
    }

    /// A token on a renewal, which names its chain's buyer or somebody else, or nobody.
    mutating func anyToken(like number: Int) -> GroupToken {
        switch random.below(4) {
        case 0: .none
        case 1: .order(order(.club, by: other))
        case 2: .own(uuid(version: 4), nil)
        default: script.transactions[number].token
        }
    }

    /// Apple states a period, perhaps twice; now and then a phone hands it in, too.
    mutating func stateOrSubmit(
        _ number: Int,
        by buyer: BuyerID? = nil,
        isPatient: Bool = false,
        after delay: ClosedRange<Int64> = later
    ) {
        let (first, again) = (sold(number).first, sold(number).again)
        let isHandedIn = random.happens(perMille: 300)
        if isHandedIn {
            submit(number, by: buyer ?? eitherBuyer(), first, after: delay)
            script.submissions[script.submissions.count - 1].isPatient = isPatient
        }
        guard !isHandedIn || random.flip() else { return }
        state(number, first, isMissed: random.happens(perMille: 100), isPatient: isPatient, after: delay)
        if random.happens(perMille: 300) { state(number, again, isPatient: isPatient, after: Self.later) }
    }

    // MARK: Renewals

    private mutating func writeRenewal(_ workload: GroupWorkload) {
        switch workload {
        case .renewal:
            let first = firstPeriod(until: -5)
            let second = renew(first, until: 20, anyToken(like: first))
            stateOrSubmit(second, isPatient: true)
            guard random.flip() else { return }
            stateOrSubmit(renew(second, until: 40, anyToken(like: first)), isPatient: true)
        case .renewalFirst:
            let first = firstPeriod(until: -5)
            stateOrSubmit(renew(first, until: 20, anyToken(like: first)), after: Self.soon)
        case .renewalAlone:
            let unheard = sell(.club, .none, from: -15, to: -5)
            let token: GroupToken = random.flip() ? .order(order(.club)) : .none
            stateOrSubmit(renew(unheard, until: 20, token), after: Self.soon)
        default:
            let order = order(.club)
            var last = sell(.club, random.flip() ? .order(order) : .none, from: -25, to: -15)
            var periods = [last]
            for end: Int64 in [-5, 10, 20] {
                last = renew(last, until: end, script.transactions[last].token)
                periods.append(last)
            }
            for _ in 0..<periods.count { periods.append(random.pick(periods)) }
            submit(periods[random.below(4)], by: own, hint: random.flip() ? .order(order) : .none)
            while !periods.isEmpty { stateOrSubmit(periods.remove(at: random.below(periods.count)), by: own) }
        }
    }

    // MARK: Seats

    /// Two transactions of one period, with one line item; it ends when both are refunded.
    private mutating func writeSeats(_ workload: GroupWorkload) {
        let first = firstPeriod(until: 20)
        let added = sell(.club, script.transactions[first].token, from: -4, to: 20, after: first)
        script.transactions[added].adds = first
        stateOrSubmit(added, by: own, after: random.flip() ? Self.soon : Self.later)
        guard workload == .seatsRefunded else { return }
        for refunded in random.pick([[first], [added], [first, added]]) {
            state(refunded, sold(refunded).refunded(100_000), after: Self.afterwards)
        }
    }

    /// The copy may state the ids of its purchaser's chain, or others.
    private mutating func writeAssigned() {
        let first = firstPeriod(until: 20)
        let copy = sell(.club, .none, from: -9, to: 20, after: first)
        script.transactions[copy].assigns = first
        script.transactions[copy].isElsewhere = random.flip()
        submit(copy, by: other, sold(copy).first, after: random.flip() ? Self.soon : Self.later)
        if random.flip() { state(copy, sold(copy).again, after: Self.later) }
        guard random.happens(perMille: 300) else { return }
        state(copy, sold(copy).refunded(100_000), after: Self.afterwards)
    }

    // MARK: Other products, other buyers

    private mutating func writeUpgrade(_ workload: GroupWorkload) {
        let first = firstPeriod(until: 20)
        if workload == .upgradeUnknown || random.flip() {
            state(first, sold(first).upgraded, after: Self.later)
        }
        guard workload != .upgradeUnknown else { return }
        let token: GroupToken = random.flip() ? script.transactions[first].token : .none
        // The dearer product may have the shorter period.
        let second = sell(.palace, token, from: -5, to: random.flip() ? 10 : 60, after: first)
        stateOrSubmit(second, by: own, after: random.flip() ? Self.soon : Self.later)
        if workload == .upgradeRefunded {
            state(second, sold(second).refunded(100_000), after: Self.afterwards)
        }
    }

    private mutating func writeMove(_ workload: GroupWorkload) {
        let first = firstPeriod(until: random.flip() ? -6 : 20)
        let second = sell(.club, .order(order(.club, by: other)), from: -5, to: 15, after: first)
        stateOrSubmit(second, after: random.flip() ? Self.soon : Self.later)
        guard workload == .movedBack else {
            return stateOrSubmit(renew(second, until: 30, anyToken(like: first)), isPatient: true)
        }
        let third = sell(.club, .order(order(.club)), from: -4, to: 20, after: second)
        stateOrSubmit(third, after: random.flip() ? Self.soon : Self.later)
    }

    private mutating func writeRestoredPeriod() {
        let first = firstPeriod(until: 20)
        script.transactions[first].period?.hasLineItem = true
        let again = sell(.club, script.transactions[first].token, from: -10, to: 20, after: first)
        script.transactions[again].restores = first
        submit(again, by: eitherBuyer(), sold(again).again, after: random.flip() ? Self.soon : Self.later)
        if random.flip() { state(again, sold(again).refunded(100_000), after: Self.afterwards) }
    }

    /// The receipt lists a first period whose token names who has paid, and perhaps its renewal.
    private mutating func writeSharedPhonePeriod() {
        let first = sell(.club, .order(order(.club)), from: -10, to: random.flip() ? -5 : 20)
        let second = renew(first, until: 40, script.transactions[first].token)
        var listed = [(first, sold(first).first)]
        if random.flip() { listed.append((second, sold(second).first)) }
        let delay = random.flip() ? Self.soon : Self.later
        submit(.transactions(listed), by: other, kind: .appReceipt, after: delay)
        if random.flip() { submit(first, by: own, sold(first).again, after: Self.later) }
        stateOrSubmit(second, after: random.flip() ? Self.soon : Self.later)
    }

    /// Another buyer's order is paid without its token, on the phone of who had the subscription; Apple tells of it,
    /// too.
    private mutating func writeLapsed() {
        let first = firstPeriod(.club, until: -5)
        let order = order(.club, by: other)
        let second = sell(.club, .none, from: 0, to: 20, after: first)
        script.transactions[second].placedBy = other
        let delays = random.pick([(Self.soon, Self.later), (Self.later, Self.soon), (Self.soon, Self.soon)])
        state(second, sold(second).first, after: delays.0)
        submit(second, by: other, sold(second).first, hint: .order(order), after: delays.1)
    }

    // MARK: Ends

    private mutating func writePeriodRefund(_ workload: GroupWorkload) {
        let first = firstPeriod(until: workload == .oldPeriodRefunded ? -5 : 20)
        if workload == .oldPeriodRefunded {
            stateOrSubmit(renew(first, until: 20, anyToken(like: first)), isPatient: random.flip())
        }
        let refund = sold(first).refunded(random.flip() ? 100_000 : 40_000)
        if random.flip() {
            state(first, refund, after: random.flip() ? Self.soon : Self.afterwards)
        } else {
            submit(first, by: eitherBuyer(), refund, after: Self.afterwards)
        }
        if workload == .periodRefundReversed {
            state(first, sold(first).refundReversed, after: Self.last)
        } else if random.happens(perMille: 300) {
            submit(first, by: own, sold(first).again, after: Self.last)
        }
    }

    private mutating func writeRunningRefund() {
        let first = firstPeriod(.patron, until: -5)
        let second = renew(first, until: 20, .none)
        stateOrSubmit(second, isPatient: true)
        if random.flip() { state(renew(second, until: 40, .none), isPatient: true, after: Self.later) }
        state(second, sold(second).refunded(100_000), after: Self.last)
        if random.happens(perMille: 300) { state(second, sold(second).refundReversed, after: Self.last) }
    }

    /// Both passes are over, one after the other, without the first already at the run's begin.
    private mutating func writeRefundOfDays() {
        let hour = 60 * Self.minute
        let passes = [-36, -34].map { (begins: Int64) in
            let payment = buy(random.flip() ? .order(order(.days)) : .none, .days)
            script.transactions[payment].bought = begins * hour
            return payment
        }
        for payment in passes { submit(payment, by: own) }
        state(passes[0], .refund, after: Self.afterwards)
        if random.happens(perMille: 300) { state(passes[0], .refundReversed, after: Self.last) }
    }

    /// The period ends by itself while the group runs, and is told before Apple states the grace period.
    private mutating func writeRevival() {
        let first = firstPeriod(.patron, until: 1)
        shorten(first, to: 4_000)
        let grace = Self.grace(until: 20 * Self.minute)
        state(first, sold(first).again, renewal: grace, after: 6_000...8_000)
    }

    private mutating func writeEnd(_ workload: GroupWorkload) {
        let product: GroupProduct =
            switch workload {
            case .runsOut: .pass
            case .renewedInTime: .season
            case .graceRunsOut: .trial
            default: .club
            }
        let first = firstPeriod(product, until: workload == .gracePeriod ? -1 : 1)
        let end: Int64 = random.within(3_500...8_500)
        switch workload {
        case .gracePeriod, .graceRunsOut:
            let grace = workload == .gracePeriod ? 20 * Self.minute : end
            if workload == .graceRunsOut { shorten(first, to: -1_000) }
            state(first, sold(first).again, renewal: Self.grace(until: grace), after: Self.soon)
            if workload == .gracePeriod, random.flip() {
                return stateOrSubmit(renew(first, until: 10, .none), isPatient: true)
            }
            guard random.flip() else { return }
            // Apple's word of the renewal is older, or ends the grace period.
            let newest = Self.grace(until: nil, signed: random.flip() ? -86_000 : -88_000)
            state(first, sold(first).again, renewal: newest, after: Self.later)
        default:
            shorten(first, to: end)
            guard workload == .renewedInTime else { return }
            let next = sell(product, .none, from: 0, to: 20, after: first, isRenewal: true)
            let last: Int64 = random.flip() ? end + 300 : 20 * Self.minute
            script.transactions[next].period = shifted(next, from: end, to: last)
            state(next, sold(next).first, isPatient: true, after: Self.later)
        }
    }

    private mutating func shorten(_ number: Int, to end: Int64) {
        script.transactions[number].period = shifted(number, from: sold(number).begins, to: end)
    }

    private func shifted(_ number: Int, from begins: Int64, to ends: Int64) -> GroupPeriod {
        let known = sold(number)
        var period = GroupPeriod(chain: known.chain, begins: begins, ends: ends, isRenewal: known.isRenewal)
        period.hasLineItem = known.hasLineItem
        return period
    }

    private static func grace(until end: Int64?, signed: Int64 = -87_000) -> RenewalFacts {
        RenewalFacts(
            signedDate: Timestamp(milliseconds: GroupWorld.runStart + signed),
            autoRenewStatus: 1,
            isInBillingRetryPeriod: true,
            gracePeriodExpiresDate: end.map { Timestamp(milliseconds: GroupWorld.runStart + $0) }
        )
    }
}
