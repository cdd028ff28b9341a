import Contracts
import Foundation
import TestKit

/// Writes the script of a run from its seed.
struct GroupScriptWriter {
    static let workloadsPerRun = 19

    var random: SeededRandom
    var script = GroupScript()
    /// The buyer who acts, and the other one, who wants the goods too.
    private(set) var own: BuyerID
    private(set) var other: BuyerID
    /// The buyer to whom the sandbox yields goods.
    let tester: BuyerID

    init(_ random: SeededRandom, buyers: (BuyerID, BuyerID)) {
        self.random = random
        (own, other) = buyers
        tester = buyers.0
    }

    mutating func write(_ workloads: [GroupWorkload]) -> GroupScript {
        for workload in workloads {
            if random.flip() { swap(&own, &other) }
            script.beginPlan()
            write(workload)
        }
        return script
    }

    mutating func soon() -> Int64 { random.within(0...500) }
    mutating func later() -> Int64 { random.within(0...3_000) }
    mutating func product() -> GroupProduct { random.pick([.coins, .sword, .chest]) }

    private mutating func write(_ workload: GroupWorkload) {
        switch workload {
        case .plain, .nothingNamed, .quantity, .duplicate, .twoTransactions: writePurchase(workload)
        case .fight, .fightForToken, .fightForName: writeFight(workload)
        case .repeatedToken, .registeredToken, .foreignToken, .lostOrderToken, .garbageToken:
            writeToken(workload)
        case .unknownOrder, .studioNumber, .namedOrder, .namedByOther, .namedTwice: writeName(workload)
        case .late, .dearToken: writeOrder(workload)
        case .sandbox, .sandboxRefused, .wrongEnvironment, .wrongApp: writeElsewhere(workload)
        case .refundAfter, .refundFirst, .refundByOther, .refundAtOnce, .partialRefund, .refundReversed,
            .staleAfterRefund:
            writeRefund(workload)
        case .retired, .novelty, .unheard, .subscription: writeUnknown(workload)
        case .forged, .untrusted: writeForgery(workload)
        case .statement, .statementThenProof, .statedRefund: writeStatement(workload)
        case .askedOfApple, .askedTwice, .askedByBoth, .askedWithProof, .askedThenRefunded, .askedRefused:
            writeAsked(workload)
        case .missedPurchase, .missedRefund, .confirmedRefund: writeMissed(workload)
        case .restored, .restoredElsewhere, .restoredRefund: writeRestored(workload)
        }
    }

    private mutating func writePurchase(_ workload: GroupWorkload) {
        let product = product()
        let quantity = workload == .quantity ? 1 + random.below(9) : 1
        if workload == .nothingNamed { return script.submit(script.buy(product), by: own, after: soon()) }
        let order = script.order(own, product, quantity: quantity)
        let payment = script.buy(product, token: .order(order))
        script.transactions[payment].quantity = quantity
        guard workload == .twoTransactions else {
            script.submit(payment, by: own, hint: .order(order), after: soon())
            if workload == .duplicate { script.submit(payment, by: own, after: later()) }
            return
        }
        let second = script.buy(.coins, token: random.flip() ? .order(order) : .none)
        let both = [(second, GroupFacts.purchase), (payment, GroupFacts.purchase)]
        script.submit(.transactions(both), by: own, after: soon())
        if random.flip() { script.submit(second, by: other, after: soon()) }
    }

    private mutating func writeFight(_ workload: GroupWorkload) {
        let product = product()
        let order = workload == .fight ? nil : script.order(own, product)
        let payment = script.buy(product, token: workload == .fightForToken ? .order(order ?? 0) : .none)
        let hint: GroupHint = workload == .fightForName ? .order(order ?? 0) : .none
        script.submit(payment, by: own, hint: hint, after: soon())
        script.submit(payment, by: other, hint: random.flip() ? hint : .none, after: soon())
        script.submit(payment, by: other, .again, after: later())
    }

    private mutating func writeToken(_ workload: GroupWorkload) {
        let product = product()
        switch workload {
        case .repeatedToken:
            let order = script.order(own, product)
            for _ in 0...random.below(3) + 1 {
                let payment = script.buy(product, token: .order(order))
                script.submit(payment, by: random.flip() ? own : other, hint: .order(order), after: soon())
            }
        case .registeredToken:
            let token = uuid(version: 4)
            script.register(token, for: own)
            let payment = script.buy(product, token: .own(token, own))
            script.submit(payment, by: random.flip() ? own : other, after: soon())
            if random.flip() { script.submit(payment, by: other, after: soon()) }
        case .garbageToken:
            script.submit(script.buy(product, token: .garbage("player-7")), by: own, after: soon())
        default:
            let token = uuid(version: workload == .lostOrderToken ? 8 : 4)
            let payment = script.buy(product, token: .own(token, nil))
            script.submit(payment, by: own, after: soon())
            if random.flip() { script.submit(payment, by: other, after: soon()) }
        }
    }

    private mutating func writeName(_ workload: GroupWorkload) {
        let product = product()
        switch workload {
        case .unknownOrder:
            let hint = GroupHint.text(uuid(version: 8).uuidString.lowercased())
            script.submit(script.buy(product), by: own, hint: hint, after: soon())
        case .studioNumber:
            script.submit(script.buy(product), by: own, hint: .text("SO-2026-1"), after: soon())
        case .namedTwice:
            let order = script.order(own, product)
            for _ in 0..<2 { script.submit(script.buy(product), by: own, hint: .order(order), after: soon()) }
        default:
            let order = script.order(own, product)
            let submitter = workload == .namedOrder ? own : other
            script.submit(script.buy(product), by: submitter, hint: .order(order), after: soon())
        }
    }

    private mutating func writeOrder(_ workload: GroupWorkload) {
        let isDear = workload == .dearToken
        let order = script.order(own, isDear ? .dear : .coins, closes: !isDear)
        let payment = script.buy(.coins, token: .order(order))
        script.submit(payment, by: own, hint: .order(order), after: soon())
        if random.flip() { script.submit(payment, by: other, hint: .order(order), after: soon()) }
    }

    private mutating func writeElsewhere(_ workload: GroupWorkload) {
        let product = product()
        let guest = own == tester ? other : own
        let order = script.order(workload == .sandbox ? tester : guest, product)
        let payment = script.buy(product, token: random.flip() ? .order(order) : .none)
        switch workload {
        case .sandbox: script.transactions[payment].environment = .sandbox
        case .sandboxRefused:
            script.transactions[payment].environment = .sandbox
            script.submit(payment, by: guest, after: soon())
        case .wrongEnvironment: script.transactions[payment].environment = .xcode
        default: script.transactions[payment].bundle = GroupWorld.otherApp
        }
        if workload != .sandboxRefused || random.flip() { script.submit(payment, by: tester, after: soon()) }
    }

    private mutating func writeRefund(_ workload: GroupWorkload) {
        let product = product()
        let order = script.order(own, product)
        let payment = script.buy(product, token: random.flip() ? .order(order) : .none)
        let (first, second): (GroupFacts, GroupFacts) =
            switch workload {
            case .refundFirst: (.refund, .purchase)
            case .refundAtOnce: random.flip() ? (.refundAtOnce, .purchase) : (.purchase, .refundAtOnce)
            case .partialRefund: (.purchase, .partialRefund)
            default: (.purchase, .refund)
            }
        script.submit(payment, by: own, first, after: soon())
        script.submit(payment, by: workload == .refundByOther ? other : own, second, after: 700 + later())
        if workload == .refundReversed {
            script.submit(payment, by: random.flip() ? own : other, .refundReversed, after: 1_500 + later())
        }
        if workload == .staleAfterRefund {
            script.submit(payment, by: own, random.flip() ? .again : .purchase, after: 1_500 + later())
            script.submit(payment, by: other, .again, after: 1_500 + later())
        }
    }

    private mutating func writeUnknown(_ workload: GroupWorkload) {
        let product: GroupProduct =
            switch workload {
            case .retired: .retired
            case .novelty: .novelty
            case .unheard: .unheard
            default: .club
            }
        let order = script.order(own, product)
        let payment = script.buy(product, token: .order(order))
        script.submit(payment, by: own, after: soon())
        if random.flip() { script.submit(payment, by: own, .again, after: later()) }
        if random.happens(perMille: 250) { script.submit(payment, by: other, .refund, after: later()) }
    }

    private mutating func writeForgery(_ workload: GroupWorkload) {
        let kind = workload == .forged ? GroupProofReader.forged : GroupProofReader.untrusted
        let proof = "\(kind) \(random.next())"
        script.submit(.text(proof), by: own, after: soon())
        if random.flip() { script.submit(.text(proof), by: other, after: soon()) }
    }

    private mutating func writeStatement(_ workload: GroupWorkload) {
        let order = random.flip() ? script.order(own) : nil
        let token: GroupToken = workload == .statement ? .none : order.map(GroupToken.order) ?? .none
        let payment = script.buy(.coins, token: token)
        script.state(payment, workload == .statedRefund ? .refund : .purchase, after: soon())
        if workload != .statement { script.submit(payment, by: own, after: soon()) }
        if workload == .statedRefund, random.flip() { script.submit(payment, by: other, after: later()) }
    }

    private mutating func uuid(version: UInt8) -> UUID {
        var bytes = (0..<16).map { _ in UInt8(random.below(256)) }
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}
