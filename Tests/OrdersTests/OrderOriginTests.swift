import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `an order's origin` {
    let orders = OrdersHarness()

    private static let lost = OrderID.elsewhere()

    /// A payment that the table tells apart.
    private static func payment(isRenewal: Bool, token: String?) -> TransactionFacts {
        (isRenewal ? TransactionFacts.renewal() : .bought()).bearing(token)
    }

    @Test(arguments: [false, true], [false, true])
    func `follows its table`(isRenewal: Bool, isSubmitted: Bool) {
        let made: OrderV1.Origin = isRenewal ? .renewal : isSubmitted ? .spot : .server
        for token in [nil, "shop/1001", Self.lost.rawValue, Self.lost.rawValue.uppercased()] {
            let payment = Self.payment(isRenewal: isRenewal, token: token)
            #expect(OrderV1.Origin(of: payment, isSubmitted: isSubmitted) == made)
            let again = OrderV1.Origin(of: payment, isSubmitted: isSubmitted, lost: Self.lost)
            #expect(again == (token?.lowercased() == Self.lost.rawValue ? .phone : made))
        }
    }

    @Test func `is the phone for an order that was placed, whoever tells of its payment`() throws {
        let id = try orders.issue().orderId
        #expect(try orders.order(id).origin == .phone)
        #expect(try orders.pay(.token(id.rawValue), by: nil).origin == .phone)
    }

    @Test func `is the spot for a payment that a phone hands in without an order`() throws {
        #expect(try orders.pay(.caller(.ada), .bought("1")).origin == .spot)
        let paid = try orders.pay(.caller(.ada), .bought("2")).orderId
        let second = try orders.pay(.token(paid.rawValue), .bought("3"))
        #expect(second.origin == .spot, "one token, two payments")
    }

    @Test func `is the server for a payment of which Apple alone told`() throws {
        let token = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
        _ = try orders.register(token)
        #expect(try orders.pay(.registered(.ada), .bought().bearing(token), by: nil).origin == .server)
    }

    @Test(arguments: [nil, BuyerID.ada])
    func `is a renewal for a period that Apple renewed, though a phone hands it in`(
        submitter: BuyerID?
    ) throws {
        let first = try orders.pay(.holder(.ada), .renewal("1"), by: submitter)
        #expect(first.origin == .renewal)
        #expect(try orders.pay(.caller(.ada), .renewal("2"), by: .ada).origin == .renewal, "an unknown chain")
        let placed = try orders.issue()
        let third = try orders.pay(.holder(.ada), .renewal("3"), by: submitter)
        #expect(third.orderId != placed.orderId, "it pays no order that somebody placed")
        #expect(try orders.order(placed.orderId).state == .issued)
    }

    @Test func `hides renewals from lists, unless they are asked for`() throws {
        let placed = try orders.issue().orderId
        let spot = try orders.pay(.caller(.ada), .bought("1", product: "gems.5")).orderId
        let server = try orders.pay(.caller(.ada), .bought("2", product: "gems.5"), by: nil).orderId
        let renewal = try orders.pay(.holder(.ada), .renewal("3"), by: nil).orderId
        let open: [OrderV1.State] = [.issued, .deferred, .paid, .parked]
        for states in [nil, open] {
            #expect(try Set(orders.list(states).orders.map(\.orderId)) == [placed, spot, server])
            #expect(try orders.list(states, origins: [.renewal]).orders.map(\.orderId) == [renewal])
            #expect(try orders.list(states, origins: [.spot]).orders.map(\.orderId) == [spot])
            #expect(try orders.list(states, origins: [.server]).orders.map(\.orderId) == [server])
            let all = try orders.list(states, origins: OrderV1.Origin.allCases)
            #expect(Set(all.orders.map(\.orderId)) == [placed, spot, server, renewal])
            #expect(try orders.list(states, origins: []).orders.isEmpty)
        }
    }

    @Test func `of a renewal makes it no open order to onlyOne, and no unit of a limit`() throws {
        let renewal = try orders.pay(.holder(.ada), .renewal("1"), by: nil)
        #expect(renewal.state == .paid, "paid and not granted yet: another such order would be open")
        let placed = try orders.issue(.request(onlyOne: true, limit: 1))
        #expect(placed.state == .issued)
        let again = try orders.pay(.token(placed.orderId.rawValue), .bought("2"))
        #expect(again.overLimit == nil, "the renewal before it does not count")
        let over = try orders.pay(.token(placed.orderId.rawValue), .renewal("3"))
        #expect(over.origin == .renewal && over.overLimit == nil, "nor does one that repeats the token")
    }

    @Test func `and its sandboxOf are known again of an order that an older store has lost`() throws {
        let production = try orders.issue().orderId
        let facts = TransactionFacts.bought("1", environment: .sandbox)
            .bearing(production.rawValue.uppercased())
        try orders.update(Self.lost, facts, by: nil, isSubmitted: true)
        let tested = try orders.order(Self.lost)
        #expect(tested.sandboxOf == production && tested.origin == .spot)
        #expect(try orders.order(production).state == .issued)

        let placed = OrderID.elsewhere(6)
        try orders.update(placed, .bought("2").bearing(placed.rawValue), by: nil, isSubmitted: true)
        #expect(try orders.order(placed).origin == .phone)
        let renewed = OrderID.elsewhere(7)
        try orders.update(renewed, .renewal("3"), by: nil)
        #expect(try orders.order(renewed).origin == .renewal)
        let told = OrderID.elsewhere(8)
        try orders.update(told, .bought("4"), by: nil)
        #expect(try orders.order(told).origin == .server)
        let later = try orders.request(.request(key: "k-2", limit: 2)).refusal
        #expect(later == .limitReached, "what was paid by lost orders counts against the limit of later ones")
    }
}
