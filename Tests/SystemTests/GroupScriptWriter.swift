import Contracts
import Foundation
import TestKit

/// Writes the script of a run from its seed.
struct GroupScriptWriter {
    static let workloadsPerRun = 30
    static let workloadsPerDeskRun = 9
    // When something happens, in ms after everything was made ready.
    static let soon: ClosedRange<Int64> = 0...500
    static let later: ClosedRange<Int64> = 0...3_000
    static let afterwards: ClosedRange<Int64> = 700...3_700
    static let last: ClosedRange<Int64> = 1_500...4_500

    var random: SeededRandom
    var script = GroupScript()
    /// The buyer who acts, and the other one, who wants the goods too.
    private(set) var own: BuyerID
    private(set) var other: BuyerID
    /// The buyer to whom the sandbox yields goods.
    private let tester: BuyerID
    /// What is bought, unless a workload says otherwise.
    private(set) var product = GroupProduct.coins

    init(_ random: SeededRandom, buyers: (BuyerID, BuyerID)) {
        self.random = random
        (own, other) = buyers
        tester = buyers.0
    }

    mutating func write(_ workloads: [GroupWorkload]) -> GroupScript {
        for workload in workloads {
            if random.flip() { swap(&own, &other) }
            product = random.pick([.coins, .sword, .chest])
            script.plans += 1
            write(workload)
        }
        return script
    }

    private mutating func write(_ workload: GroupWorkload) {
        switch workload {
        case .plain, .nothingNamed, .quantity, .duplicate, .twoTransactions, .largestOrder:
            writePurchase(workload)
        case .longReceipt: writeLongReceipt()
        case .owned: writeOwned()
        case .fight, .fightForToken, .fightForName: writeFight(workload)
        case .forAnother: for _ in 0..<3 { writeForAnother() }
        case .repeatedToken, .registeredToken, .foreignToken, .lostOrderToken, .garbageToken:
            writeToken(workload)
        case .unknownOrder, .studioNumber, .namedOrder, .namedByOther, .namedTwice, .late, .dearToken:
            writeOrder(workload)
        case .sandbox, .sandboxRefused, .wrongEnvironment, .wrongApp: writeElsewhere(workload)
        case .refundAfter, .refundFirst, .refundByOther, .refundAtOnce, .partialRefund, .refundReversed,
            .staleAfterRefund:
            writeRefund(workload)
        case .retired: writeUnknown(.retired)
        case .novelty: writeUnknown(.novelty)
        case .unheard: for _ in 0..<2 { writeUnknown(.unheard) }
        case .forged: writeText(GroupProofReader.forged)
        case .untrusted: writeText(GroupProofReader.untrusted)
        case .askedRefused: writeText(GroupApple.refused, kind: .transactionReceipt)
        case .statement, .statementThenProof, .statedRefund: writeStatement(workload)
        case .externalPurchase: writeExternalPurchase()
        case .compensated: writeCompensated()
        case .assigned: writeAssignments()
        case .askedOfApple, .askedTwice, .askedByBoth, .askedWithProof, .askedThenRefunded:
            writeAsked(workload)
        case .missedPurchase, .missedRefund, .confirmedRefund: writeMissed(workload)
        case .familyShared: for _ in 0..<2 { writeFamilyShared() }
        case .sharedPhone: for _ in 0..<13 { writeSharedPhone() }
        case .restored, .restoredElsewhere, .restoredRefund: writeRestored(workload)
        case .subscription, .periodRestored, .renewal, .renewalFirst, .renewalAlone, .renewalsInAnyOrder,
            .seatsAdded, .seatsRefunded, .seatAssigned, .upgrade, .upgradeRefunded, .upgradeUnknown, .moved,
            .movedBack,
            .periodRefunded,
            .oldPeriodRefunded, .periodRefundReversed, .gracePeriod, .runsOut, .renewedInTime, .graceRunsOut,
            .runningPeriodRefunded, .daysRefunded, .revived, .sharedPhonePeriod, .lapsed:
            writeSubscription(workload)
        case .merged, .restated: writeChains(workload)
        case .replaced: for _ in 0..<2 { writeReplaced() }
        case .transferred, .transferredBack, .transferredAndRefunded, .transferRefused, .restoredByCopy,
            .returned,
            .periodTransferred, .chainTransferred:
            writeTransfer(workload)
        case .spent, .spentAtOnce, .credited, .spendReversed, .spentAndRefunded, .spentToTheFloor:
            writeWallet(workload)
        }
    }

    private mutating func writePurchase(_ workload: GroupWorkload) {
        guard workload != .nothingNamed else { return submit(buy(), by: own) }
        let quantity = workload == .quantity ? 1 + random.below(9) : 1
        let order = order(quantity: quantity, isLargest: workload == .largestOrder)
        let payment = buy(.order(order))
        script.transactions[payment].quantity = quantity
        guard workload == .twoTransactions else {
            submit(payment, by: own, hint: .order(order))
            if workload == .duplicate { submit(payment, by: own, after: Self.later) }
            return
        }
        let second = buy(random.flip() ? .order(order) : .none, .coins)
        submit(.transactions([(second, .purchase), (payment, .purchase)]), by: own)
        if random.flip() { submit(second, by: other) }
    }

    private mutating func writeLongReceipt() {
        let order = order(.coins)
        let payments = (0..<5).map { number in
            (buy(number == 3 ? .order(order) : .none, .coins), GroupFacts.purchase)
        }
        submit(.transactions(payments), by: own, kind: .appReceipt)
        if random.flip() {
            submit(payments[random.below(payments.count)].0, by: own, .again, after: Self.later)
        }
    }

    private mutating func writeOwned() {
        for _ in 0...1 + random.below(2) {
            let payment = buy(random.flip() ? .order(order(.hero)) : .none, .hero)
            submit(payment, by: own, after: Self.later)
            guard random.happens(perMille: 300) else { continue }
            state(payment, .refund, after: Self.afterwards)
            if random.flip() { state(payment, .refundReversed, after: Self.last) }
        }
    }

    private mutating func writeFight(_ workload: GroupWorkload) {
        let order = workload == .fight ? nil : order()
        let payment = buy(workload == .fightForToken ? .order(order ?? 0) : .none)
        let hint: GroupHint = workload == .fightForName ? .order(order ?? 0) : .none
        submit(payment, by: own, hint: hint)
        submit(payment, by: other, hint: random.flip() ? hint : .none)
        submit(payment, by: other, .again, after: Self.later)
    }

    private mutating func writeToken(_ workload: GroupWorkload) {
        let token = uuid(version: workload == .lostOrderToken ? 8 : 4)
        switch workload {
        case .repeatedToken:
            let order = order()
            for _ in 0...random.below(3) + 1 {
                submit(buy(.order(order)), by: eitherBuyer(), hint: .order(order))
            }
        case .garbageToken: submit(buy(.garbage("player-7")), by: own)
        default:
            let isRegistered = workload == .registeredToken
            if isRegistered {
                script.registrations.append(GroupRegistration(plan: script.plans, token: token, buyer: own))
            }
            let payment = buy(.own(token, isRegistered ? own : nil))
            submit(payment, by: isRegistered ? eitherBuyer() : own)
            if random.flip() { submit(payment, by: other) }
        }
    }

    private mutating func writeOrder(_ workload: GroupWorkload) {
        switch workload {
        case .unknownOrder:
            submit(buy(), by: own, hint: .text(uuid(version: 8).uuidString.lowercased()))
        case .studioNumber: submit(buy(), by: own, hint: .text("SO-2026-1"))
        case .late, .dearToken:
            let isDear = workload == .dearToken
            let order = order(isDear ? .dear : .coins, closes: !isDear)
            let payment = buy(.order(order), .coins)
            submit(payment, by: own, hint: .order(order))
            if random.flip() { submit(payment, by: other, hint: .order(order)) }
        default:
            let order = order()
            for _ in 0..<(workload == .namedTwice ? 2 : 1) {
                submit(buy(), by: workload == .namedByOther ? other : own, hint: .order(order))
            }
        }
    }

    private mutating func writeElsewhere(_ workload: GroupWorkload) {
        let guest = own == tester ? other : own
        let order = order(by: workload == .sandbox ? tester : guest)
        let payment = buy(random.flip() ? .order(order) : .none)
        switch workload {
        case .wrongApp: script.transactions[payment].bundle = GroupWorld.otherApp
        case .wrongEnvironment: script.transactions[payment].environment = .xcode
        default: script.transactions[payment].environment = .sandbox
        }
        if workload == .sandboxRefused { submit(payment, by: guest) }
        if workload != .sandboxRefused || random.flip() { submit(payment, by: tester) }
    }

    private mutating func writeRefund(_ workload: GroupWorkload) {
        let order = order()
        let payment = buy(random.flip() ? .order(order) : .none)
        let (first, second): (GroupFacts, GroupFacts) =
            switch workload {
            case .refundFirst: (.refund, .purchase)
            case .refundAtOnce: random.flip() ? (.refundAtOnce, .purchase) : (.purchase, .refundAtOnce)
            case .partialRefund: (.purchase, .partialRefund)
            default: (.purchase, .refund)
            }
        submit(payment, by: own, first)
        submit(payment, by: workload == .refundByOther ? other : own, second, after: Self.afterwards)
        if workload == .refundReversed {
            submit(payment, by: eitherBuyer(), .refundReversed, after: Self.last)
        }
        if workload == .staleAfterRefund {
            submit(payment, by: own, random.flip() ? .again : .purchase, after: Self.last)
            submit(payment, by: other, .again, after: Self.last)
        }
    }

    private mutating func writeUnknown(_ product: GroupProduct) {
        let payment = buy(.order(order(product)), product)
        submit(payment, by: own)
        if random.flip() { submit(payment, by: own, .again, after: Self.later) }
        if random.happens(perMille: 250) { submit(payment, by: other, .refund, after: Self.later) }
    }

    /// What is no payment at all.
    private mutating func writeText(_ word: String, kind: ProofKind = .signedTransaction) {
        let proof = GroupSubmission.Content.text("\(word) \(random.next())")
        submit(proof, by: own, kind: kind)
        if random.flip() { submit(proof, by: other, kind: kind, after: Self.later) }
    }

    private mutating func writeStatement(_ workload: GroupWorkload) {
        let token = random.flip() ? GroupToken.order(order(.coins)) : .none
        let payment = buy(workload == .statement ? .none : token, .coins)
        state(payment, workload == .statedRefund ? .refund : .purchase)
        if workload != .statement { submit(payment, by: own) }
        if workload == .statedRefund, random.flip() { submit(payment, by: other, after: Self.later) }
    }

    mutating func uuid(version: UInt8) -> UUID {
        var bytes = (0..<16).map { _ in UInt8(random.below(256)) }
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

// MARK: Apple

/// Dealings in which somebody has to ask Apple.
extension GroupScriptWriter {
    /// A receipt that bears no signature.
    private mutating func writeAsked(_ workload: GroupWorkload) {
        let order = order()
        let payment = buy(workload != .askedByBoth && random.flip() ? .order(order) : .none)
        let hint: GroupHint = random.flip() ? .order(order) : .none
        submit(payment, by: own, hint: hint, kind: .transactionReceipt)
        switch workload {
        case .askedTwice:
            submit(payment, by: own, kind: .transactionReceipt, after: Self.later)
            submit(payment, by: own, hint: hint, kind: .transactionReceipt, after: Self.last)
        case .askedByBoth: submit(payment, by: other, kind: .transactionReceipt)
        case .askedWithProof where random.flip(): submit(payment, by: eitherBuyer(), .again)
        case .askedWithProof: state(payment, .again)
        case .askedThenRefunded where random.flip(): submit(payment, by: own, .refund, after: Self.afterwards)
        case .askedThenRefunded: state(payment, .refund, after: Self.later)
        default: break
        }
    }

    /// Something that Apple states and cannot deliver.
    private mutating func writeMissed(_ workload: GroupWorkload) {
        let order = order()
        let payment = buy(random.flip() ? .order(order) : .none)
        switch workload {
        case .missedPurchase:
            state(payment, isMissed: true, after: Self.later)
            if random.flip() { submit(payment, by: own, after: Self.later) }
        case .confirmedRefund:
            submit(payment, by: own, kind: .appReceipt, after: Self.later)
            state(payment, .refund, isMissed: true)
        default:
            submit(payment, by: own)
            state(payment, .refund, isMissed: true, after: Self.afterwards)
        }
    }

    /// A purchase with two transactions: its own, and what a second device restored.
    private mutating func writeRestored(_ workload: GroupWorkload) {
        let order = order(.sword)
        let payment = buy(random.flip() ? .order(order) : .none, .sword)
        let again = buy(script.transactions[payment].token, .sword)
        script.transactions[again].restores = payment
        let hint: GroupHint = random.flip() ? .order(order) : .none
        if workload == .restored, random.happens(perMille: 250) {
            return submit(.transactions([(again, .again), (payment, .purchase)]), by: own, hint: hint)
        }
        // Either device may be the first.
        submit(payment, by: own, hint: hint, after: random.flip() ? Self.soon : Self.later)
        let isOwn = workload == .restored || (workload == .restoredRefund && random.flip())
        let facts: GroupFacts = random.flip() ? .purchase : .again
        submit(again, by: isOwn ? own : other, facts, after: random.flip() ? Self.soon : Self.later)
        if random.happens(perMille: 300) { submit(again, by: own, .again, after: Self.later) }
        if random.happens(perMille: 300) { state(again, .again, after: Self.later) }
        guard workload == .restoredRefund else { return }
        // Apple speaks of one id, and means the purchase.
        let taken = random.flip() ? payment : again
        if random.flip() {
            state(taken, .refund, after: Self.afterwards)
        } else {
            submit(taken, by: eitherBuyer(), .refund, after: Self.afterwards)
        }
        if random.happens(perMille: 300) {
            submit(random.flip() ? payment : again, by: own, .again, after: Self.last)
        }
    }
}

// MARK: Lines of the script

extension GroupScriptWriter {
    mutating func eitherBuyer() -> BuyerID { random.flip() ? own : other }

    mutating func order(
        _ product: GroupProduct? = nil,
        by buyer: BuyerID? = nil,
        quantity: Int = 1,
        closes: Bool = false,
        isLargest: Bool = false
    ) -> Int {
        script.orders.append(
            GroupOrder(
                plan: script.plans,
                buyer: buyer ?? own,
                product: product ?? self.product,
                quantity: quantity,
                closes: closes,
                isLargest: isLargest
            )
        )
        return script.orders.count - 1
    }

    mutating func buy(_ token: GroupToken = .none, _ product: GroupProduct? = nil) -> Int {
        let number = script.transactions.count
        script.transactions.append(
            GroupTransaction(number: number, product: product ?? self.product, token: token)
        )
        return number
    }

    mutating func submit(
        _ transaction: Int,
        by buyer: BuyerID,
        _ facts: GroupFacts = .purchase,
        hint: GroupHint = .none,
        kind: ProofKind = .signedTransaction,
        after delay: ClosedRange<Int64> = soon
    ) {
        submit(.transactions([(transaction, facts)]), by: buyer, hint: hint, kind: kind, after: delay)
    }

    mutating func submit(
        _ content: GroupSubmission.Content,
        by buyer: BuyerID,
        hint: GroupHint = .none,
        kind: ProofKind = .signedTransaction,
        after delay: ClosedRange<Int64> = soon
    ) {
        script.submissions.append(
            GroupSubmission(
                plan: script.plans,
                buyer: buyer,
                content: content,
                kind: kind,
                hint: hint,
                delay: random.within(delay)
            )
        )
    }

    mutating func state(
        _ transaction: Int,
        _ facts: GroupFacts = .purchase,
        isMissed: Bool = false,
        isPatient: Bool = false,
        renewal: RenewalFacts? = nil,
        after delay: ClosedRange<Int64> = soon
    ) {
        script.statements.append(
            GroupStatement(
                plan: script.plans,
                transaction: transaction,
                facts: facts,
                isMissed: isMissed,
                delay: random.within(delay),
                isPatient: isPatient,
                renewal: renewal
            )
        )
    }
}
