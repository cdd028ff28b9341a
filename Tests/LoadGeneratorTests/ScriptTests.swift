import ArgumentParser
import Testing

@testable import LoadGenerator

@Suite struct `the scripts of customers` {
    private static let assortment: Assortment = {
        var assortment = Assortment(
            consumables: [Product(id: "coins", amount: 1), Product(id: "pack", amount: 2)],
            restorable: Product(id: "pro", amount: 1)
        )
        assortment.add(
            [
                Product(id: "month", amount: nil, kind: .autoRenewable),
                Product(id: "year", amount: nil, kind: .autoRenewable),
            ],
            movables: [
                Product(id: "castle", amount: nil, kind: .nonConsumable),
                Product(id: "guild", amount: nil, kind: .autoRenewable),
            ]
        )
        return assortment
    }()

    private static func scripts(_ seed: UInt64, _ shares: Shares = .standard) -> [Script] {
        let generator = ScriptGenerator(shares: shares, seed: seed)
        return (0..<2_000).map { generator.script($0, buyers: 50, of: assortment) }
    }

    @Test func `are equal for equal seeds, and others for others`() {
        #expect(Self.scripts(7) == Self.scripts(7))
        #expect(Self.scripts(7) != Self.scripts(8))
    }

    @Test func `have every habit unless told otherwise, and then no other`() {
        let onDemand = [.sharedPhones] + Habit.atTheDesk
        #expect(Set(Self.scripts(1).map(\.habit)) == Set(Habit.allCases).subtracting(onDemand))
        let shares = Shares(argument: "renewals=0.5,spends=0.25")
        #expect(Set(Self.scripts(1, shares ?? .standard).map(\.habit)) == [.renewals, .spends, .plain])
    }

    @Test func `deal in all that can become of a purchase`() {
        let scripts = Self.scripts(3)
        let plans = scripts.compactMap(\.subscription)
        #expect(plans.contains { $0.steps.contains(.renewal) } && plans.contains { $0.steps.isEmpty })
        #expect(plans.contains { $0.steps.contains { $0 != .renewal } })
        #expect(plans.contains { $0.gracePeriod != nil } && plans.contains { $0.isAtOnce })
        let refunds = scripts.compactMap(\.refund)
        #expect(refunds.contains { $0.statements == [.refunded(percentage: nil)] })
        #expect(refunds.contains { $0.statements.last == .reversed } && refunds.contains { $0.isEarly })
        #expect(refunds.contains { $0.statements.count == 3 } && refunds.contains { $0.period > 0 })
        let spends = scripts.compactMap(\.spending).flatMap(\.spends)
        #expect(spends.contains { $0.isReversed } && spends.contains { $0.isDoubled })
        #expect(scripts.allSatisfy { ($0.subscription != nil) == ($0.habit == .renewals) })
        #expect(scripts.allSatisfy { ($0.spending != nil) == ($0.habit == .spends) })
        let moves = scripts.filter { $0.transfer != nil }
        #expect(scripts.allSatisfy { ($0.transfer != nil) == ($0.habit == .transfers) })
        #expect(Set(moves.map(\.product)) == Set(Self.assortment.movableNumbers))
        #expect(moves.allSatisfy { $0.submitter != $0.buyer && !$0.givesUp })
        #expect(moves.contains { $0.transfer?.isAskedBack == true && $0.transfer?.isRenewed == true })
    }

    @Test func `name a period that there is, and a product of the right kind`() {
        for script in Self.scripts(5) {
            let product = Self.assortment.all[script.product]
            let isMoved = script.habit == .transfers
            #expect(isMoved || (product.kind == .autoRenewable) == (script.habit == .renewals))
            #expect(script.refund.map { $0.period <= script.subscription?.steps.count ?? 0 } ?? true)
        }
    }

    @Test func `share phones only where that is asked for, and nobody else buys otherwise then`() {
        let (scripts, before) = (
            Self.scripts(1, Shares.standard.sharingPhones(percentage: 5)), Self.scripts(1)
        )
        let shared = scripts.filter { $0.habit == .sharedPhones }
        #expect((50...150).contains(shared.count), "5 % of 2,000")
        #expect(
            zip(scripts, before).allSatisfy { $0 == $1 || ($0.habit == .sharedPhones && $1.habit == .plain) }
        )
        #expect(scripts.allSatisfy { ($0.sharing != nil) == ($0.habit == .sharedPhones) })
        #expect(shared.allSatisfy { $0.submitter != $0.buyer && $0.carriesToken && !$0.givesUp })
        let delays = Set(shared.map { $0.sharing?.delayMilliseconds })
        #expect(delays.contains(nil) && delays.contains(0) && delays.count > 2)
        #expect(Set(shared.map { Self.assortment.all[$0.product].kind }) == [.consumable, .nonConsumable])
    }

    @Test func `have operators act only where that is asked for, on orders whose amounts go back in full`() {
        let scripts = Self.scripts(1, Shares.standard.atTheDesk(percentage: 10))
        for habit in Habit.atTheDesk {
            #expect((50...150).contains(scripts.count { $0.habit == habit }), "5 % of 2,000")
        }
        let plans = scripts.compactMap(\.compensation)
        #expect(Set(plans.map(\.course)) == Set(CompensationScript.Course.allCases))
        #expect(scripts.allSatisfy { ($0.compensation != nil) == ($0.habit == .compensations) })
        let made = scripts.filter { $0.compensation != nil }
        #expect(made.allSatisfy { $0.product == 0 && $0.quantity == 1 && $0.carriesToken })
        let asked = ["--gateway", "http://127.0.0.1:1", "--api-key", "k", "--appstore-state", "s"]
        #expect(throws: (any Error).self) { try LoadCommand.parse(asked + ["--at-the-desk", "8"]) }
    }

    @Test
    func `assign no product that another login hands in with nothing but the order that it was bought for`() {
        let scripts = Self.scripts(1, Shares.standard.atTheDesk(percentage: 10))
        let assigned = Set(scripts.filter { $0.habit == .assignments }.map(\.product))
        let guesses = scripts.filter { $0.habit == .otherLogin && !$0.carriesToken }
        #expect(assigned.count == 1 && !guesses.isEmpty)
        #expect(assigned.isDisjoint(with: guesses.map(\.product)))
        let others = Self.scripts(1).filter { $0.habit == .otherLogin && !$0.carriesToken }
        #expect(
            !assigned.isDisjoint(with: others.map(\.product)),
            "where nothing is assigned, all are bought so"
        )
    }

    @Test func `have no share of phones that leaves too few customers, and none without a simulator`() throws
    {
        let asked = ["--gateway", "http://127.0.0.1:1", "--api-key", "k", "--appstore-state", "s"]
        let (shares, store) = (["--shared-phones", "20"], ["--app-store", "http://127.0.0.1:2"])
        _ = try LoadCommand.parse(asked + shares + store)
        #expect(throws: (any Error).self) { try LoadCommand.parse(asked + shares) }
        #expect(throws: (any Error).self) {
            try LoadCommand.parse(asked + ["--shared-phones", "40"] + store)
        }
    }

    @Test func `are plain where no share is given`() {
        let scripts = Self.scripts(1, Shares(parts: [:]))
        #expect(scripts.allSatisfy { $0.habit == .plain && $0.refund == nil })
        #expect(!Shares(parts: [:]).needCatalog && Shares.standard.needCatalog)
    }
}
