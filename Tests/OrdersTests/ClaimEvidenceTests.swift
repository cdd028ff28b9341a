import Contracts
import Database
import Domain
import TestKit
import Testing

/// Which orders a purchase can pay by when they were issued, and what is remembered of why it came to its buyer.
@Suite struct `a claim's evidence` {
    let orders = OrdersHarness()
    /// An order of Ada's that nobody has paid.
    let id: OrderID

    init() throws { id = try orders.issue().orderId }

    /// A purchase made so many ms before now.
    private func bought(_ id: String = "1000", before milliseconds: Int64) -> TransactionFacts {
        .bought(id).with(\.purchaseDate, orders.now.advanced(by: -milliseconds))
    }

    /// A purchase restored now that was bought so many ms before now.
    private func restored(
        before milliseconds: Int64,
        type: String = ProductType.nonConsumable
    ) -> TransactionFacts {
        .bought("2000", type: type).with(\.originalTransactionId, TransactionID(unchecked: "1000"))
            .with(\.purchaseDate, orders.now)
            .with(\.originalPurchaseDate, orders.now.advanced(by: -milliseconds))
    }

    private func heldBy() throws -> [[Value]] {
        try orders.rows("SELECT held_by FROM orders WHERE payment = 'paid'").map(\.values)
    }

    // MARK: The time of the issue

    @Test func `an order that a submission names was there when the purchase was made, within a minute`()
        throws
    {
        try orders.propose(.order(id), bought(before: 60_001))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .issuedAfter)
        #expect(try orders.order(id).state == .issued)
        #expect(try orders.pay(.order(id), bought(before: 60_000)).orderId == id)
    }

    @Test func `an order that a clock has dated ahead is paid once the clock is right`() throws {
        let ahead = orders.now
        orders.now = ahead.advanced(by: 30 * 86_400_000)
        let later = try orders.issue(.request(key: "key-2")).orderId
        orders.now = ahead
        #expect(try orders.pay(.order(later), bought(before: 1_000)).orderId == later)
    }

    @Test func `a closed order is paid late if it was there, and not if it was not`() throws {
        try orders.close(id)
        try orders.propose(.order(id), bought(before: 60_001), by: .eve)
        #expect(try orders.only(ClaimRefusedV1.self).reason == .issuedAfter)
        let paid = try orders.pay(.order(id), bought(before: 0), by: .eve)
        #expect(paid.orderId == id && paid.late == true && paid.buyerId == .ada)
    }

    @Test func `what was restored was bought before it was restored`() throws {
        try orders.propose(.order(id), restored(before: 60_001))
        #expect(try orders.only(ClaimRefusedV1.self).reason == .issuedAfter)
        #expect(try orders.pay(.order(id), restored(before: 60_000)).orderId == id)
    }

    @Test(arguments: [ProductType.autoRenewable, ProductType.nonRenewing])
    func `a period is bought when it is, not when its chain began`(type: String) throws {
        #expect(try orders.pay(.order(id), restored(before: 9_000_000, type: type)).orderId == id)
    }

    @Test(arguments: [ClaimCandidate.caller(.ada), .registered(.ada)])
    func `a buyer's open order was there, too, or one is made on the spot`(candidate: ClaimCandidate) throws {
        let early = try orders.pay(candidate, bought("1", before: 60_001))
        #expect(early.orderId != id && early.buyerId == .ada)
        #expect(try orders.order(id).state == .issued)
        #expect(try orders.pay(candidate, bought("2", before: 60_000)).orderId == id)
    }

    @Test func `the order that a signed token names is paid whatever the clocks say`() throws {
        #expect(try orders.pay(.token(id.rawValue), bought(before: 9_000_000)).orderId == id)
    }

    @Test func `a held claim pays its order again whatever the clocks say`() throws {
        try orders.update(id, bought(before: 9_000_000))
        #expect(try orders.order(id).state == .paid)
    }

    // MARK: What is remembered

    @Test func `is told with the claim and kept with the order, whatever asks again`() throws {
        let named = try orders.issue(.request(key: "key-2")).orderId
        let cases: [(ClaimCandidate, HolderEvidence)] = [
            (.token(id.rawValue), .token), (.order(named), .order), (.registered(.ada), .registered),
            (.holder(.ada), .holder), (.caller(.eve), .caller),
        ]
        for (number, (candidate, evidence)) in cases.enumerated() {
            let facts = TransactionFacts.bought("\(1_000 + number)")
            try orders.propose(candidate, facts)
            #expect(try orders.only(ClaimHeldV1.self).evidence == evidence)
            try orders.propose(.caller(.eve), facts, attempt: 2)
            #expect(try orders.only(ClaimHeldV1.self).evidence == evidence)
            try orders.lookUp(facts, by: .eve, attempt: 3)
            #expect(try orders.only(ClaimHeldV1.self).evidence == evidence)
            let kept = try heldBy()
            #expect(kept.count == number + 1 && kept.contains([.text(evidence.rawValue)]))
        }
    }

    @Test func `is that the claim was known where this store has lost the payment`() throws {
        try orders.update(.elsewhere())
        try orders.update(id, .bought("2000"))
        #expect(try heldBy() == [["known"], ["known"]])
    }

    @Test func `is what Receipts knows where this store has lost the payment, and the ledger hears it`()
        throws
    {
        try orders.update(.elsewhere(), because: .order)
        #expect(try heldBy() == [["order"]])
        #expect(try orders.only(PurchaseReportedV1.self).evidence == .order)
        try orders.update(.elsewhere(), because: .caller)
        #expect(try heldBy() == [["order"]], "what is known stays")
    }

    @Test func `is sent to restored stores`() throws {
        try orders.propose(.order(id))
        let claims = try orders.redriven(to: .receipts).bodies(ClaimRedrivenV1.self)
        #expect(claims.map(\.evidence) == [.order])
    }

    @Test func `is not kept of an unpaid order, and is one that is known`() throws {
        for sql in ["held_by = 'token'", "held_by = 'guess'"] {
            #expect(throws: StoreError.self) { try orders.execute("UPDATE orders SET \(raw: sql)") }
        }
        try orders.propose(.order(id))
        for sql in ["held_by = NULL", "held_by = 'guess'"] {
            #expect(throws: StoreError.self) { try orders.execute("UPDATE orders SET \(raw: sql)") }
        }
    }

    @Test(arguments: HolderEvidence.allCases) func `is known to the schema`(evidence: HolderEvidence) throws {
        try orders.propose(.caller(.ada))
        try orders.execute("UPDATE orders SET held_by = \(evidence)")
        #expect(try heldBy() == [[.text(evidence.rawValue)]])
    }
}
