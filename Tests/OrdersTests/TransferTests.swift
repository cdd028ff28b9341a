import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Orders

/// Ada's order, whose purchase a restore has moved to Eve.
@Suite struct `an order whose purchase has moved` {
    let orders = OrdersHarness()

    private static let moved = Transferred(count: 1, payerId: .ada)

    private func move(
        _ order: OrderID,
        to buyer: BuyerID = .eve,
        _ transferred: Transferred? = moved
    ) throws -> [PurchaseReportedV1] {
        try orders.update(order, of: buyer, by: buyer, transferred: transferred)
        return try orders.sent.bodies(PurchaseReportedV1.self)
    }

    @Test func `tells the payer's ledger of the amounts, and the holder's of the rest`() throws {
        let order = try orders.issuePaid()
        let grants = try move(order)
        #expect(grants.map(\.buyerId) == [.ada, .eve] && grants.map(\.transfers) == [nil, 1])
        #expect(grants.map(\.submission) == [nil, .submission(by: .eve)])
        #expect(grants.allSatisfy { $0.order.orderId == order })
        #expect(try orders.order(order).buyerId == .ada, "it stays the payer's")
    }

    @Test func `names its holder to restored stores, and to a claim that is proposed again`() throws {
        let order = try orders.issuePaid()
        _ = try move(order)
        try orders.propose(.order(order), attempt: 2)
        let held = try orders.only(ClaimHeldV1.self)
        #expect(held.buyerId == .eve && held.transferred == Self.moved)
        let again = try orders.redriven(to: .receipts) + orders.redriven(to: .entitlements)
        let claims = try again.bodies(ClaimRedrivenV1.self)
        let grants = try again.bodies(PurchaseReportedV1.self)
        #expect(claims.map(\.buyerId) == [.eve] && claims.map(\.transferred) == [Self.moved])
        #expect(Set(grants.map(\.buyerId)) == [.ada, .eve])
    }

    @Test func `follows later transfers alone`() throws {
        let order = try orders.issuePaid()
        _ = try move(order, to: .ada, Transferred(count: 2, payerId: .ada))
        _ = try move(order)
        _ = try move(order, to: .ada, nil)
        try orders.propose(.order(order), attempt: 2)
        #expect(try orders.only(ClaimHeldV1.self).transferred?.count == 2)
    }

    @Test func `follows its holder's ledger, whatever the payer's said before and comes late`() throws {
        let order = try orders.issuePaid()
        _ = try move(order)
        #expect(try orders.recordGrant(order, .reversed, of: .eve) == .applied)
        #expect(try orders.recordGrant(order, .granted, of: .ada) == .applied)
        #expect(try orders.order(order).state == .refunded)
    }

    @Test func `that this store has lost is the payer's again`() throws {
        let lost = OrderTerms(orderId: try OrdersHarness().issue().orderId).orderId
        #expect(try move(lost).map(\.buyerId) == [.ada, .eve])
        #expect(try orders.order(lost).buyerId == .ada)
    }
}
