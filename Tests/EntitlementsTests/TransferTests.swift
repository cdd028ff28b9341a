import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Ada holds what Eve restores; both are in one partition, unless a test says otherwise.
@Suite struct `a transfer in the ledger` {
    let harness = EntitlementsHarness()

    init() {
        harness.sell("pack", [.castle, .coins(50)], type: .nonConsumable, onOtherLogin: .transfer)
        harness.sell("club.month", [.castle, .coins(50)], type: .autoRenewable, onOtherLogin: .transfer)
    }

    private static func pack(_ signed: Int64 = 100, refunded: Int? = nil) -> TransactionFacts {
        .facts(product: "pack", type: ProductType.nonConsumable, signed: signed, refunded: refunded)
    }

    /// A request to take a purchase; what followed.
    @discardableResult
    private func take(
        _ facts: TransactionFacts = pack(),
        from holder: BuyerID = .ada,
        to buyer: BuyerID = .eve,
        transfer: Int = 1,
        isAnswered: Bool = false
    ) throws -> (answer: TransferAnsweredV1?, changes: [EntitlementChangedV1]) {
        let answer = try harness.take(facts, from: holder, to: buyer, by: transfer, isAnswered: isAnswered)
        return (answer, try harness.sent.bodies(EntitlementChangedV1.self))
    }

    /// The buyer who has it by a transfer; what was changed.
    @discardableResult
    private func give(
        _ facts: TransactionFacts = pack(),
        to buyer: BuyerID = .eve,
        transfers: Int? = 1
    ) throws -> [EntitlementChangedV1] {
        try harness.give(facts, to: buyer, by: transfers, .submission(by: buyer))
        return try harness.sent.bodies(EntitlementChangedV1.self)
    }

    /// What Ada holds, and Eve.
    private func holdings() throws -> [String] { [try harness.held(), try harness.held(by: .eve)] }

    private func lines(_ changes: [EntitlementChangedV1]) -> [String] {
        changes.flatMap(\.entries).map { "\($0.kind.rawValue) \($0.entitlement) \($0.from) \($0.to)" }
    }

    private func audit() throws -> [LedgerAuditPage.Difference] {
        let differences = try harness.audit()
        #expect(try harness.holdsByNumbers() == differences.isEmpty)
        return differences
    }

    @Test func `moves the possession of a non-consumable, and never amounts`() throws {
        try harness.grant(Self.pack())
        let (answer, changes) = try take()
        #expect(answer?.isTaken == true && answer?.toBuyerId == .eve && answer?.transfer == 1)
        #expect(lines(changes) == ["transferOut castle buyer:ada transit"])
        let entry = try #require(changes.first?.entries.first)
        #expect(try entry.undoes == harness.entries().first { $0.entitlement == "castle" }?.entryId)
        #expect(changes.map(\.verdict) == [.conflict] && changes.first?.submission == .submission())
        let given = try give()
        #expect(lines(given) == ["transferIn castle transit buyer:eve"])
        #expect(given.map(\.verdict) == [.granted])
        #expect(changes.map(\.transfers) == [1] && given.map(\.transfers) == [1])
        #expect(try holdings() == ["50", "castle 0"])
        #expect(try audit().isEmpty)
    }

    @Test func `is repeated without effect, and answered the same again`() throws {
        try harness.grant(Self.pack())
        let first = try take()
        try give()
        let contents = try harness.contents()
        let again = try take()
        #expect(again.answer == first.answer && again.changes.isEmpty)
        #expect(try lines(give()).isEmpty)
        #expect(try harness.contents() == contents)
    }

    @Test func `is refused when the catalog says conflict`() throws {
        let castle = TransactionFacts.facts(product: "castle", type: ProductType.nonConsumable)
        try harness.grant(castle)
        let contents = try harness.contents()
        #expect(try take(castle).answer?.isTaken == false)
        #expect(try harness.contents() == contents)
        #expect(try harness.rows("SELECT * FROM grants").count == 1)
    }

    @Test func `leaves a stale report for the old holder without goods`() throws {
        try harness.grant(Self.pack())
        try take()
        let changes = try give(to: .ada, transfers: nil)
        #expect(changes.map(\.verdict) == [.conflict] && lines(changes).isEmpty)
        #expect(try harness.sent.bodies(GrantRecordedV1.self).isEmpty, "the holder's ledger tells Orders")
        #expect(try harness.held() == "50")
    }

    @Test func `before a refund leaves the amounts to the payer, who loses those`() throws {
        try harness.grant(Self.pack())
        try take()
        try give()
        let refund = Self.pack(200, refunded: 100_000)
        #expect(try lines(give(refund, to: .ada, transfers: nil)) == ["reversal coins buyer:ada apple:pack"])
        #expect(try lines(give(refund)) == ["reversal castle buyer:eve apple:pack"])
        #expect(try holdings() == ["0", "0"])
        try give(Self.pack(300), to: .ada, transfers: nil)
        try give(Self.pack(300))
        #expect(try holdings() == ["50", "castle 0"])
        #expect(try audit().isEmpty)
    }

    @Test func `goes back, and forth`() throws {
        try harness.grant(Self.pack())
        try take()
        try give()
        #expect(try take(from: .eve, to: .ada, transfer: 2).answer?.isTaken == true)
        #expect(try lines(give(to: .ada, transfers: 2)) == ["transferIn castle transit buyer:ada"])
        #expect(try holdings() == ["castle 50", "0"])
        #expect(try take(transfer: 3).answer?.isTaken == true)
        try give(transfers: 3)
        #expect(try holdings() == ["50", "castle 0"])
        #expect(try audit().isEmpty)
    }

    @Test func `that is refunded on its way back stays in transit until the refund is reversed`() throws {
        try harness.grant(Self.pack())
        try take()
        try give()
        try take(from: .eve, to: .ada, transfer: 2)
        let refund = Self.pack(200, refunded: 100_000)
        #expect(try lines(give(refund, to: .ada, transfers: nil)) == ["reversal coins buyer:ada apple:pack"])
        #expect(try lines(give(refund, to: .ada, transfers: 2)).isEmpty)
        #expect(try holdings() == ["0", "0"])
        let back = ["transferIn castle transit buyer:ada", "reinstatement coins apple:pack buyer:ada"]
        #expect(try lines(give(Self.pack(300), to: .ada, transfers: 2)) == back)
        #expect(try holdings() == ["castle 50", "0"])
        #expect(try audit().isEmpty)
        let again = try give(Self.pack(400, refunded: 100_000), to: .ada, transfers: 2)
        let entries = try harness.entries()
        let gave = entries.last { $0.kind == .transferIn }?.entryId
        #expect(again.flatMap(\.entries).first { $0.entitlement == "castle" }?.undoes == gave)
    }

    @Test func `that is asked for with newer facts than the ledger has moves what they give`() throws {
        try harness.grant(Self.pack())
        try harness.grant(Self.pack(200, refunded: 100_000))
        let (answer, changes) = try take(Self.pack(300))
        #expect(answer?.isTaken == true)
        #expect(lines(changes).contains("transferOut castle buyer:ada transit"))
        try give(Self.pack(300))
        #expect(try holdings() == ["50", "castle 0"])
        #expect(try audit().isEmpty)
    }

    @Test func `moves a period of a subscription with its access`() throws {
        let period = TransactionFacts.facts(product: "club.month", type: ProductType.autoRenewable)
            .with(\.expiresDate, harness.now.advanced(by: 86_400_000))
        try harness.grant(period)
        #expect(try harness.held() == "castle 50")
        #expect(try take(period).answer?.isTaken == true)
        try give(period)
        #expect(try holdings() == ["50", "castle 0"])
        let due = "SELECT * FROM told_holding WHERE changes_at IS NOT NULL AND buyer_id"
        #expect(try harness.rows("\(due) = 'eve'").count == 1)
        #expect(try harness.rows("\(due) <> 'eve'").isEmpty)
    }

    @Test func `is taken back again in a restored store, whatever comes first`() throws {
        for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
            let restored = `a transfer in the ledger`()
            let again: [() throws -> Void] = [
                { try restored.take(isAnswered: true) }, { try restored.give(to: .ada, transfers: nil) },
                { try restored.give() },
            ]
            for step in order { try again[step]() }
            #expect(try restored.holdings() == ["50", "castle 0"])
            #expect(try restored.audit().isEmpty)
        }
    }

    @Test func `is answered again when Receipts was restored`() throws {
        try harness.grant(Self.pack())
        let first = try #require(take().answer)
        let owner = try #require(first.route.owner(of: harness.partitions))
        try harness.redrive(to: owner)
        #expect(try harness.sent.bodies(TransferAnsweredV1.self) == [first])
    }

    @Test func `is refused where nobody would have it: of a retired product, and after a refund`() throws {
        try harness.grant(Self.pack())
        let sold = harness.service
        harness.change { if $0.productId.rawValue == "pack" { $0.retired = .undecided } }
        #expect(try take().answer?.isTaken == false)
        harness.service = sold
        try harness.grant(Self.pack(200, refunded: 100_000))
        #expect(try take().answer?.isTaken == false)
        #expect(try holdings() == ["0", "0"])
        #expect(try audit().isEmpty)
    }

    @Test func `that overtakes the grant takes it once it was granted`() throws {
        #expect(try take().answer?.isTaken == true)
        try harness.grant(Self.pack())
        try give()
        #expect(try holdings() == ["50", "castle 0"])
        #expect(try audit().isEmpty)
    }

    @Test func `tells who asks after a restore to whom it went`() throws {
        try harness.grant(Self.pack())
        try take()
        let other = try take(to: BuyerID(unchecked: "mallory")).answer
        #expect(other?.isTaken == true && other?.toBuyerId == .eve)
    }
}

@Suite struct `a holder status` {
    static let holderStatuses = [
        HolderStatus(), HolderStatus(first: 0, last: 1, leftTo: .eve), HolderStatus(first: 1, last: 1),
        HolderStatus(first: 1, last: 2, leftTo: .eve),
    ]

    @Test(arguments: holderStatuses, 0...3)
    func `takes a report twice as once, and follows a later one alone`(from: HolderStatus, transfer: Int) {
        var holderStatus = from
        let returns = holderStatus.report(transfer)
        let isLater = transfer > from.last
        #expect(returns == (isLater && from.hasLeft))
        #expect(holderStatus == (isLater ? HolderStatus(first: from.first, last: transfer) : from))
        let once = holderStatus
        #expect(!holderStatus.report(transfer) && holderStatus == once)
    }

    @Test(arguments: holderStatuses, 0...3)
    func `leaves twice as once, and by a later transfer alone`(from: HolderStatus, transfer: Int) {
        var holderStatus = from
        let leaves = holderStatus.leave(to: .eve, by: transfer)
        let isLater = transfer > from.last
        #expect(leaves == (isLater && !from.hasLeft))
        let expected = HolderStatus(first: from.first, last: transfer, leftTo: .eve)
        #expect(holderStatus == (isLater ? expected : from))
        let once = holderStatus
        #expect(!holderStatus.leave(to: .eve, by: transfer) && holderStatus == once)
    }
}
