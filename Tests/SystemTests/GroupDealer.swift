import TestKit
import Contracts
import Foundation

/// Makes the script of a life from its chance.
struct GroupDealer {
    /// Workloads in one life.
    static let hand = 19

    var random: SeededRandom
    var script = GroupScript()
    /// Whose dealings these are, and who else wants the goods.
    private(set) var own: BuyerID
    private(set) var other: BuyerID
    /// The buyer to whom the sandbox yields goods.
    let tester: BuyerID

    init(_ random: SeededRandom, buyers: (BuyerID, BuyerID)) {
        self.random = random
        (own, other) = buyers
        tester = buyers.0
    }

    mutating func deal(_ workloads: [GroupWorkload]) -> GroupScript {
        for workload in workloads {
            if random.flip() { swap(&own, &other) }
            script.begin(workload)
            deal(workload)
            script.end()
        }
        return script
    }

    mutating func soon() -> Int64 { random.within(0...500) }
    mutating func later() -> Int64 { random.within(0...3_000) }
    mutating func product() -> GroupProduct { random.pick([.coins, .sword, .chest]) }

    private mutating func deal(_ workload: GroupWorkload) {
        switch workload {
        case .plain, .nothingNamed, .quantity, .duplicate, .twoTransactions: dealPurchase(workload)
        case .fight, .fightForToken, .fightForName: dealFight(workload)
        case .repeatedToken, .registeredToken, .foreignToken, .lostOrderToken, .garbageToken:
            dealToken(workload)
        case .unknownOrder, .studioNumber, .namedOrder, .namedByOther, .namedTwice: dealName(workload)
        case .late, .dearToken: dealOrder(workload)
        case .sandbox, .sandboxRefused, .wrongEnvironment, .wrongApp: dealElsewhere(workload)
        case .refundAfter, .refundFirst, .refundByOther, .refundAtOnce, .partialRefund, .refundReversed,
            .staleAfterRefund:
            dealRefund(workload)
        case .retired, .novelty, .unheard, .subscription: dealUnknown(workload)
        case .forged, .untrusted: dealForgery(workload)
        case .statement, .statementThenProof, .statedRefund: dealStatement(workload)
        case .askedOfApple, .askedTwice, .askedByBoth, .askedWithProof, .askedThenRefunded, .askedRefused:
            dealAsked(workload)
        case .missedPurchase, .missedRefund, .confirmedRefund: dealMissed(workload)
        case .restored, .restoredElsewhere, .restoredRefund: dealRestored(workload)
        }
    }

    private mutating func dealPurchase(_ workload: GroupWorkload) {
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

    private mutating func dealFight(_ workload: GroupWorkload) {
        let product = product()
        let order = workload == .fight ? nil : script.order(own, product)
        let payment = script.buy(product, token: workload == .fightForToken ? .order(order ?? 0) : .none)
        let hint: GroupHint = workload == .fightForName ? .order(order ?? 0) : .none
        script.submit(payment, by: own, hint: hint, after: soon())
        script.submit(payment, by: other, hint: random.flip() ? hint : .none, after: soon())
        script.submit(payment, by: other, .again, after: later())
    }

    private mutating func dealToken(_ workload: GroupWorkload) {
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

    private mutating func dealName(_ workload: GroupWorkload) {
        let product = product()
        switch workload {
        case .unknownOrder:
            let hint = GroupHint.text(uuid(version: 8))
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

    private mutating func dealOrder(_ workload: GroupWorkload) {
        let isDear = workload == .dearToken
        let order = script.order(own, isDear ? .dear : .coins, closes: !isDear)
        let payment = script.buy(.coins, token: .order(order))
        script.submit(payment, by: own, hint: .order(order), after: soon())
        if random.flip() { script.submit(payment, by: other, hint: .order(order), after: soon()) }
    }

    private mutating func dealElsewhere(_ workload: GroupWorkload) {
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

    private mutating func dealRefund(_ workload: GroupWorkload) {
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

    private mutating func dealUnknown(_ workload: GroupWorkload) {
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

    private mutating func dealForgery(_ workload: GroupWorkload) {
        let kind = workload == .forged ? GroupProofReader.forged : GroupProofReader.untrusted
        let proof = "\(kind) \(random.next())"
        script.submit(.text(proof), by: own, after: soon())
        if random.flip() { script.submit(.text(proof), by: other, after: soon()) }
    }

    private mutating func dealStatement(_ workload: GroupWorkload) {
        let order = random.flip() ? script.order(own) : nil
        let token: GroupToken = workload == .statement ? .none : order.map(GroupToken.order) ?? .none
        let payment = script.buy(.coins, token: token)
        script.state(payment, workload == .statedRefund ? .refund : .purchase, after: soon())
        if workload != .statement { script.submit(payment, by: own, after: soon()) }
        if workload == .statedRefund, random.flip() { script.submit(payment, by: other, after: later()) }
    }

    private mutating func uuid(version: UInt8) -> String {
        var bytes = (0..<16).map { _ in UInt8(random.below(256)) }
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let cuts = [8, 4, 4, 4, 12]
        var rest = digits[...]
        let groups = cuts.map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }
        return groups.joined(separator: "-")
    }
}
