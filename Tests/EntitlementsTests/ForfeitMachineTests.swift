import Contracts
import Domain
import TestKit
import Testing

@testable import Entitlements

/// What becomes of 100 coins and a castle; each statement says what it adds to the ledger.
private struct Story {
    static let goods: [Catalog.Grant] = [.coins(100), .castle]

    private(set) var grant = Grant(buyerId: .ada)
    /// The transfer that the last lines name.
    private(set) var transfers: [Int?] = []

    /// A report of Orders; without a transfer the one of who paid.
    mutating func hear(
        _ signed: Int64 = 100,
        refunded: Int? = nil,
        offer: Catalog.Lookup = .active(type: .consumable, grants: goods),
        transfer: Int = 0,
        order: UInt64 = 1
    ) throws -> [String] {
        let lines = try grant.apply(
            .facts(signed: signed, refunded: refunded),
            for: .ada,
            offer: offer,
            transfer: transfer,
            order: Self.order(order)
        )
        return note(lines)
    }

    /// It turns out to be Eve's; the buyer is known to have paid the first order.
    mutating func forfeit(by transfer: Int = 1, balance: Int64? = nil) -> [String] {
        let lines = grant.forfeit(
            .facts(signed: 90),
            to: .eve,
            by: transfer,
            because: .reassign,
            order: Self.order(1),
            floors: balance.map { ["coins": $0] } ?? [:]
        )
        return note(lines)
    }

    /// A restore takes it to another login.
    mutating func leave(by transfer: Int) -> [String] { note(grant.leave(to: .eve, by: transfer)) }

    /// both reports of Orders for the payer of another order.
    mutating func regain(_ signed: Int64 = 100, refunded: Int? = nil, by transfer: Int = 2) throws -> [String]
    {
        let first = try hear(signed, refunded: refunded, order: UInt64(transfer))
        let state = grant.state
        #expect(first.isEmpty && state == .void, "it says nothing of a transfer")
        return try hear(signed, refunded: refunded, transfer: transfer, order: UInt64(transfer))
    }

    private mutating func note(_ lines: [Grant.Line]) -> [String] {
        transfers = lines.map(\.transfer)
        return lines.map { "\($0.kind) \($0.entitlement) \($0.amount)" }
    }

    private static func order(_ number: UInt64) -> OrderID {
        OrderID(time: Timestamp(milliseconds: Int64(number)), shard: Shard(rawValue: 5), random: 0)
    }
}

@Suite struct `a grant that turns out to be another buyer's` {
    private static let whole = ["reversal coins 100", "reversal castle 1"]
    private static let back = ["reinstatement coins 100", "reinstatement castle 1"]
    private static let given = ["grant coins 100", "grant castle 1"]

    /// Every state, and what goes back from it.
    enum Origin: String, CaseIterable {
        case unseen, parked, tombstone, granted, partlyReversed, reversed, left, came

        fileprivate func story() throws -> Story {
            var story = Story()
            switch self {
            case .unseen: break
            case .parked: _ = try story.hear(offer: .unknown)
            case .tombstone: _ = try story.hear(refunded: 100_000)
            case .granted: _ = try story.hear()
            case .partlyReversed: _ = try story.hear(refunded: 30_000)
            case .reversed:
                _ = try story.hear()
                _ = try story.hear(110, refunded: 100_000)
            case .left:
                _ = try story.hear()
                _ = story.leave(by: 1)
            case .came: _ = try story.hear(transfer: 1)
            }
            return story
        }

        var goesBack: [String] {
            switch self {
            case .unseen, .parked, .tombstone, .reversed: []
            case .granted: whole
            case .partlyReversed: ["reversal coins 70", "reversal castle 1"]
            case .left: ["reversal coins 100"]
            case .came: ["reversal castle 1"]
            }
        }
    }

    @Test(arguments: Origin.allCases) func `becomes void from every state, once`(origin: Origin) throws {
        var story = try origin.story()
        #expect(story.forfeit(by: 2) == origin.goesBack)
        #expect(story.transfers.allSatisfy { $0 == 2 })
        let (once, status) = (story.grant, story.grant.holderStatus)
        #expect(once.state == .void && status.hasLeft && !status.isPayers)
        for transfer in 0...2 { #expect(story.forfeit(by: transfer).isEmpty && story.grant == once) }
        #expect(story.forfeit(by: 3).isEmpty && story.grant.holderStatus.last == 3)
    }

    @Test(arguments: Origin.allCases)
    func `stays void whatever is heard but a later transfer`(origin: Origin) throws {
        var story = try origin.story()
        _ = story.forfeit(by: 2)
        for transfer in 0...2 {
            #expect(try story.hear(200, transfer: transfer).isEmpty)
            #expect(try story.hear(210, refunded: 30_000, transfer: transfer).isEmpty)
            #expect(try story.hear(220, refunded: 100_000, transfer: transfer).isEmpty)
            #expect(try story.hear(230, offer: .unknown, transfer: transfer).isEmpty)
            #expect(story.leave(by: transfer).isEmpty)
        }
        let offer = Catalog.Lookup.active(type: .consumable, grants: Story.goods)
        var grant = story.grant
        #expect(grant.retry(offer: offer).isEmpty)
        #expect(grant == story.grant && grant.state == .void && grant.holderStatus.last == 2)
    }

    @Test(
        arguments: [(nil, 0), (150, 0), (100, 0), (99, 1), (30, 70), (0, 100), (-5, 100)] as [(Int64?, Int64)]
    )
    func `leaves what is spent to a compensation, so that a balance keeps its floor`(
        balance: Int64?,
        missing: Int64
    ) throws {
        var story = try Origin.granted.story()
        let made = missing == 0 ? [] : ["compensation coins \(missing)"]
        #expect(story.forfeit(balance: balance) == made + Self.whole)
        let kept = missing == 0 ? [] : ["compensationReversal coins \(missing)"]
        let expected = [Self.back[0]] + kept + [Self.back[1]]
        #expect(try story.regain() == expected, "all of it, less what was made up for")
        #expect(story.transfers.allSatisfy { $0 == 2 })
        #expect(story.grant.goods.allSatisfy { $0.taken == nil && $0.compensated == nil })
    }

    @Test(arguments: Origin.allCases)
    func `gives all of it to who turns out to be its payer after all`(origin: Origin) throws {
        var story = try origin.story()
        _ = story.forfeit(by: 2)
        let isNew = [.unseen, .parked, .tombstone, .came].contains(origin)
        #expect(try story.regain(300, by: 3) == (isNew ? Self.given : Self.back))
        #expect(story.grant.state == .granted && story.grant.holderStatus == HolderStatus(last: 3))
        let once = story.grant
        #expect(try story.hear(300, transfer: 3, order: 3).isEmpty && story.grant == once)
        #expect(try story.hear(400, refunded: 100_000, transfer: 3, order: 3) == Self.whole)
    }

    @Test func `is parked for its payer where the catalog does not know it any more`() throws {
        var story = Story()
        _ = story.forfeit()
        _ = try story.hear(offer: .unknown, order: 2)
        #expect(try story.hear(offer: .unknown, transfer: 2, order: 2).isEmpty)
        #expect(story.grant.state == .parked(.unknownProduct) && story.grant.holderStatus.isPayers)
    }

    @Test func `gives back what a refund of meanwhile leaves, and the rest when that is reversed`() throws {
        var story = try Origin.granted.story()
        _ = story.forfeit(balance: 40)
        let part = ["reinstatement coins 70", "compensationReversal coins 60", "reinstatement castle 1"]
        #expect(try story.regain(200, refunded: 30_000) == part)
        #expect(try story.hear(300, transfer: 2) == ["reinstatement coins 30"])
    }

    @Test func `gives nothing back that was refunded meanwhile, until that is reversed`() throws {
        var story = try Origin.granted.story()
        _ = story.forfeit(balance: 40)
        #expect(try story.regain(200, refunded: 100_000).isEmpty && story.grant.state == .reversed)
        let all = ["reinstatement coins 100", "compensationReversal coins 60", "reinstatement castle 1"]
        #expect(try story.hear(300, transfer: 2) == all)
    }

    @Test func `gives back what a refund had taken that was reversed meanwhile`() throws {
        var story = try Origin.partlyReversed.story()
        #expect(story.forfeit() == ["reversal coins 70", "reversal castle 1"])
        #expect(try story.regain(200) == Self.back)
    }

    @Test(arguments: Origin.allCases)
    func `comes back by a restore without its amounts`(origin: Origin) throws {
        var story = try origin.story()
        _ = story.forfeit(by: 2)
        // The payer's order is another buyer's.
        #expect(try story.hear(300, transfer: 3, order: 9) == ["transferIn castle 1"])
        #expect(story.grant.state == .granted && !story.grant.holderStatus.hasLeft)
        #expect(try story.hear(400, refunded: 100_000, transfer: 3, order: 9) == ["reversal castle 1"])
        #expect(try story.hear(500, transfer: 3, order: 9) == ["reinstatement castle 1"])
        #expect(story.leave(by: 4) == ["transferOut castle 1"])
    }

    @Test func `that a restore has brought back is its former payer's by a later transfer`() throws {
        var story = try Origin.granted.story()
        _ = story.forfeit()
        _ = try story.hear(transfer: 2, order: 9)
        _ = story.leave(by: 3)
        #expect(try story.hear(order: 4).isEmpty)
        #expect(try story.hear(transfer: 4, order: 4) == Self.back)
    }

    @Test func `that a restore has brought to its payer goes back, and is granted`() throws {
        var story = try Origin.came.story()
        #expect(try story.hear(order: 2).isEmpty)
        #expect(try story.hear(transfer: 2, order: 2) == ["reversal castle 1"] + Self.given)
        #expect(story.transfers == [2, nil, nil])
        #expect(story.grant.holderStatus == HolderStatus(last: 2))
    }

    @Test func `is its payer's again also where the payer's report was heard before it became void`() throws {
        var story = try Origin.granted.story()
        _ = story.forfeit()
        #expect(try story.hear(transfer: 2) == Self.back)
    }
}
