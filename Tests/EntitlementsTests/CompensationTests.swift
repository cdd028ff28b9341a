import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Entitlements

/// Compensations in a ledger: proposed, confirmed, reversed, and matched with a proof that comes after all.
@Suite struct `Compensations in a ledger` {
    private static let (lin, mei) = (`A compensation`.lin, `A compensation`.mei)
    let harness = EntitlementsHarness()

    func id(_ number: UInt8 = 1) -> ProposalID {
        let shard = PartitionKey.buyer(.ada, of: .game).shard
        return ProposalID(.compensation, shard: shard, digest: Array(repeating: number, count: 14))
    }

    func propose(
        _ number: UInt8 = 1,
        product: String = "coins.100",
        basis: CompensationBasis = CompensationBasis(kind: .order, orderId: OrderTerms.studio.orderId)
    ) throws -> RequestOutcome<CompensationV1> {
        let request = CompensationProposeV1(
            proposalId: id(number),
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            productId: ProductID(unchecked: product),
            quantity: 1,
            basis: basis,
            reason: "ticket 4711",
            operatorId: Self.lin
        )
        return try harness.handle(
            request,
            OnCompensationPropose(catalog: harness.catalog).callAsFunction
        )
    }

    @discardableResult
    func decide(
        _ decision: CompensationDecideV1.Decision,
        _ number: UInt8 = 1,
        by acting: OperatorID = `Compensations in a ledger`.mei
    ) throws -> RequestOutcome<CompensationV1> {
        let request = CompensationDecideV1(
            proposalId: id(number),
            decision: decision,
            reason: decision == .reverse ? "a mistake" : nil,
            operatorId: acting
        )
        return try harness.handle(request, OnCompensationDecide(catalog: harness.catalog).callAsFunction)
    }

    /// Proposed by one and confirmed by another.
    func give(
        _ number: UInt8 = 1,
        product: String = "coins.100",
        basis: CompensationBasis = CompensationBasis(kind: .order, orderId: OrderTerms.studio.orderId)
    ) throws {
        _ = try #require(propose(number, product: product, basis: basis).reply)
        _ = try #require(decide(.confirm, number).reply)
    }

    /// The proof comes after all.
    @discardableResult
    func prove(
        _ facts: TransactionFacts = .facts(),
        by buyer: BuyerID = .ada,
        because evidence: HolderEvidence? = .order,
        paying order: OrderTerms = .studio
    ) throws -> [EntitlementChangedV1] {
        var report = PurchaseReportedV1(
            buyerId: buyer,
            order: order,
            transaction: facts,
            submission: .submission()
        )
        report.evidence = evidence
        let outcome = try harness.handle(report, OnPurchaseReported(catalog: harness.catalog).callAsFunction)
        #expect(outcome == .applied)
        return try harness.sent.bodies(EntitlementChangedV1.self)
    }

    func acts() throws -> [String] {
        try harness.rows("SELECT kind FROM act ORDER BY number").map { try $0["kind"] }
    }

    @Test func `give nothing until another operator confirms, and then once`() throws {
        #expect(try propose().reply?.state == .proposed)
        #expect(try harness.held() == "0")
        #expect(try decide(.confirm, by: Self.lin).refusal == .ownProposal)
        #expect(try harness.held() == "0")
        #expect(try decide(.confirm).reply?.state == .granted)
        let change = try harness.only(EntitlementChangedV1.self)
        #expect(change.entries.map(\.from) == [.compensation] && change.entries.map(\.amount) == [100])
        #expect(try harness.sent.bodies(GrantRecordedV1.self).isEmpty, "it pays no order")
        #expect(try decide(.confirm).reply?.state == .granted)
        #expect(harness.sent.isEmpty)
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
        #expect(try acts() == ["compensationProposed", "compensationConfirmed"])
    }

    @Test func `are the same proposal when it is repeated, and refused with other content`() throws {
        let first = try #require(propose().reply)
        #expect(try propose().reply == first)
        #expect(try propose(product: "castle").refusal == .changedProposal)
        #expect(try acts() == ["compensationProposed"])
    }

    @Test func `make room for the proof of their order in one transaction, with the verdict granted`() throws
    {
        try give()
        let changes = try prove()
        #expect(changes.map { $0.entries.map(\.kind) } == [[.grant], [.reversal]])
        #expect(changes.first?.verdict == .granted && changes.first?.submission != nil)
        #expect(changes.last?.submission == nil)
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
        #expect(try acts().last == "compensationMatched")
        try prove()
        #expect(try harness.held() == "100")
        #expect(try decide(.reverse).reply?.state == .matched)
        #expect(try harness.held() == "100")
    }

    @Test func `take back all of what was spent when the proof comes, though the balance has a floor`() throws
    {
        harness.rule("coins", .floor)
        try give()
        _ = try harness.spend(70)
        try prove()
        #expect(try harness.held() == "30" && harness.audit().isEmpty)
    }

    @Test func `make room for a payment that only Apple's clock, ahead by less than a minute, dates later`()
        throws
    {
        try give()
        let later = harness.now.advanced(by: Limits.clockToleranceMilliseconds)
        try prove(.facts().with(\.purchaseDate, later).with(\.signedDate, later))
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
    }

    @Test func `stay beside a payment that was made later`() throws {
        try give()
        let later = harness.now.advanced(by: Limits.clockToleranceMilliseconds + 1)
        try prove(.facts().with(\.purchaseDate, later).with(\.signedDate, later))
        #expect(harness.alarms.count == 1)
        #expect(try harness.held() == "200" && harness.audit().isEmpty)
    }

    @Test func `make room for a copy that was restored after them, as it was bought before`() throws {
        harness.sell("castle", [.castle], type: .nonConsumable)
        try give(product: "castle")
        let (bought, later) = (harness.now, harness.now.advanced(by: 3_600_000))
        var restored = TransactionFacts.facts("2000", product: "castle", type: ProductType.nonConsumable)
        restored.originalTransactionId = TransactionID(unchecked: "1000")
        (restored.originalPurchaseDate, restored.purchaseDate) = (bought, later)
        restored.signedDate = later
        let changes = try prove(restored)
        #expect(changes.last?.entries.map(\.kind) == [.reversal])
        #expect(try acts().last == "compensationMatched")
        #expect(try harness.audit().isEmpty)
    }

    @Test func `stay beside any proof where they are goodwill`() throws {
        try give(basis: CompensationBasis(kind: .goodwill))
        try prove()
        #expect(try harness.held() == "200" && harness.audit().isEmpty)
    }

    @Test func `make room for a transaction that Apple has named for their number`() throws {
        let basis = CompensationBasis(
            kind: .appleOrder,
            appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY"),
            transactionIds: [TransactionID(unchecked: "1000")]
        )
        try give(basis: basis)
        #expect(try propose(2, basis: basis).refusal == .compensated(basis, by: id()))
        try prove()
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
    }

    static let appleOrder = CompensationBasis(
        kind: .appleOrder,
        appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY")
    )

    /// Apple names the transaction of its order.
    @discardableResult
    func name(_ number: UInt8 = 1, _ transaction: String = "1000") throws -> [EntitlementChangedV1] {
        let named = AppleOrderNamedV1(
            proposalId: id(number),
            appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY"),
            transactionIds: [TransactionID(unchecked: transaction)],
            purchaseIds: [PurchaseID(unchecked: transaction)]
        )
        let outcome = try harness.handle(named, OnAppleOrderNamed(catalog: harness.catalog).callAsFunction)
        #expect(outcome == .applied)
        return try harness.sent.bodies(EntitlementChangedV1.self)
    }

    @Test func `on an order of Apple's ask what was bought, and make room for it in one transaction`() throws
    {
        _ = try propose(basis: Self.appleOrder)
        let wanted = try harness.only(AppleOrderWantedV1.self)
        #expect(wanted.proposalId == id() && wanted.appleOrderId == Self.appleOrder.appleOrderId)
        _ = try decide(.confirm)
        #expect(try harness.sent.bodies(AppleOrderWantedV1.self) == [wanted], "it is asked once more")
        #expect(try name().isEmpty)
        let again = try propose(basis: Self.appleOrder)
        #expect(again.reply?.state == .granted, "a repeated proposal is the same")
        let changes = try prove()
        #expect(changes.map { $0.entries.map(\.kind) } == [[.grant], [.reversal]])
        #expect(changes.first?.verdict == .granted)
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
        #expect(try acts().last == "compensationMatched")
    }

    @Test func `make room for a purchase of which Apple says only then that it was bought under that order`()
        throws
    {
        try give(basis: Self.appleOrder)
        try prove()
        #expect(try harness.held() == "200", "nobody knows that they are one")
        #expect(try name().map { $0.entries.map(\.kind) } == [[.reversal]])
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
        #expect(try name().isEmpty)
        #expect(try harness.held() == "100")
    }

    @Test func `on an order of Apple's with several transactions make room for their product alone`() throws {
        harness.sell("castle", [.castle], type: .nonConsumable)
        let basis = CompensationBasis(
            kind: .appleOrder,
            appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY"),
            transactionIds: ["1000", "2000"].map(TransactionID.init(unchecked:))
        )
        try give(basis: basis)
        let castle = TransactionFacts.facts("2000", product: "castle", type: ProductType.nonConsumable)
        #expect(try prove(castle).map { $0.entries.map(\.kind) } == [[.grant]])
        #expect(try prove().map { $0.entries.map(\.kind) } == [[.grant], [.reversal]])
        #expect(try harness.audit().isEmpty)
    }

    @Test func `stay where another buyer has what they name, and an alarm says so`() throws {
        try give(basis: Self.appleOrder)
        try name()
        try prove(by: BuyerID(unchecked: "ada2"))
        #expect(harness.alarms.count == 1)
        #expect(try decide(.reverse).reply?.state == .reversed)
        #expect(try harness.audit().isEmpty)
    }

    @Test func `on an order of Apple's that was granted before are not needed`() throws {
        try prove()
        _ = try propose(basis: Self.appleOrder)
        try name()
        #expect(try decide(.confirm).refusal == .paidProposal)
        let known = CompensationBasis(
            kind: .appleOrder,
            appleOrderId: AppleOrderID(unchecked: "MQ5LB2JHXY"),
            transactionIds: [TransactionID(unchecked: "1000")]
        )
        #expect(try propose(2, basis: known).refusal == .grantedAppleOrder)
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
    }

    @Test func `on an order and on its number at Apple both make room for the one proof`() throws {
        try give(1)
        try give(2, basis: Self.appleOrder)
        try name(2)
        #expect(try harness.held() == "200")
        try prove()
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
    }

    @Test func `ask again what was bought when Receipts has lost that it was asked`() throws {
        try give(basis: Self.appleOrder)
        let content = try #require(propose(basis: Self.appleOrder).reply)
        let wanted = try #require(AppleOrderWantedV1(Compensation(content)))
        for partition in 0..<harness.partitions {
            try harness.redrive(to: PartitionAddress(.receipts, partition))
            let isOwner = wanted.route.owner(of: harness.partitions)?.partition == partition
            #expect(try harness.sent.bodies(AppleOrderWantedV1.self) == (isOwner ? [wanted] : []))
        }
    }

    @Test func `keep a possession while the proof takes their place, though the catalog parks what is owned`()
        throws
    {
        harness.sell("castle", [.castle], type: .nonConsumable, whenOwned: .park)
        try give(product: "castle")
        #expect(try harness.held() == "castle 0")
        let changes = try prove(.facts(product: "castle", type: ProductType.nonConsumable))
        #expect(changes.first?.verdict == .granted)
        #expect(try harness.sent.bodies(HoldingChangedV1.self).isEmpty, "it was held all the time")
        #expect(try harness.held() == "castle 0" && harness.audit().isEmpty)
    }

    @Test func `wait beside a parked proof, and make room when it is judged again`() throws {
        try give()
        try prove(.facts(product: "never.heard"))
        #expect(try harness.held() == "100")
        harness.sell("never.heard", [.coins(5)])
        _ = try harness.retry()
        #expect(try harness.held() == "5" && harness.audit().isEmpty)
    }

    @Test func `are not needed where the proof comes before the confirmation`() throws {
        _ = try propose()
        try prove()
        #expect(try decide(.confirm).refusal == .paidProposal)
        #expect(try propose(2).refusal == .grantedOrder)
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
    }

    @Test func `are reversed once, and another one can stand on the order then`() throws {
        try give()
        let refusal = try #require(propose(2).refusal)
        #expect(refusal.reason == "compensated" && refusal.field == "orderId")
        #expect(refusal.detail.contains("\(id()) stands on this order; first: counterfoil reverse \(id())"))
        #expect(try decide(.reverse).reply?.state == .reversed)
        #expect(try harness.held() == "0")
        try decide(.reverse)
        #expect(try harness.held() == "0" && harness.audit().isEmpty)
        try give(3)
        #expect(try harness.held() == "100" && harness.audit().isEmpty)
    }

    @Test(arguments: [
        ("month", "subscription"), ("no.such", "unknownProduct"), ("old.undecided", "retiredProduct"),
    ])
    func `are refused for what the catalog cannot give, by name, and without a trace`(
        product: String,
        reason: String
    ) throws {
        let refusal = try #require(propose(product: product).refusal)
        #expect(refusal.code == .invalid && refusal.field == "productId" && refusal.reason == reason)
        #expect(try acts().isEmpty)
        #expect(try harness.rows("SELECT 1 FROM compensation").isEmpty)
    }

    @Test func `that nobody has confirmed in a week are void, and leave their order free`() throws {
        _ = try propose()
        harness.now = harness.now.advanced(by: Approval.validMilliseconds + 1)
        #expect(try decide(.confirm).refusal == .expiredProposal)
        #expect(try propose(2).reply?.state == .proposed)
    }

    @Test(arguments: [.caller, .holder, .registered, .known, nil] as [HolderEvidence?])
    func `stay beside a proof that only pays their order, or another one, and an alarm tells`(
        evidence: HolderEvidence?
    ) throws {
        try give()
        try prove(because: evidence)
        #expect(harness.alarms.count == 1, "\(harness.alarms)")
        #expect(try harness.held() == "200")
        let sibling = OrderTerms(orderId: OrderID(time: harness.now, shard: Shard(rawValue: 5), random: 9))
        try prove(.facts("1001"), because: evidence, paying: sibling)
        #expect(harness.alarms.count == 1, "\(harness.alarms)")
        #expect(try harness.held() == "300")
        try prove(.facts("1002"), because: .token, paying: sibling)
        #expect(harness.alarms.isEmpty, "it says of which order it is")
    }

    @Test func `are not told to Orders when it has lost its store`() throws {
        try give()
        for partition in 0..<harness.partitions {
            try harness.redrive(to: PartitionAddress(.orders, partition))
            #expect(try harness.sent.bodies(GrantRecordedV1.self).isEmpty)
        }
    }

    @Test func `stand in a record that cannot be changed`() throws {
        _ = try propose()
        for statement in ["UPDATE act SET reason = 'x'", "DELETE FROM act"] {
            #expect(throws: StoreError.self) {
                try harness.database.write { try $0.execute("\(raw: statement)") }
            }
        }
        #expect(try acts() == ["compensationProposed"])
        let row = try #require(harness.rows("SELECT operator_id, person, reason FROM act").first)
        let (acting, person): (String, String) = (try row["operator_id"], try row["person"])
        #expect(acting == Self.lin.rawValue && person == Pseudonym.of(.ada, in: .game))
        #expect(!person.contains("ada"))
    }
}
