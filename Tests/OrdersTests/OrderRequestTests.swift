import Contracts
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Orders

@Suite struct `requests for orders` {
    let orders = OrdersHarness()

    @Test func `an order is issued under an id that leads back to its buyer`() throws {
        let order = try orders.issue(.request(reference: "R-1", metadata: ["level": .integer(3)]))
        #expect(order.state == .issued)
        #expect(order.appAccountToken == order.orderId.rawValue)
        #expect(order.createdAt == orders.now)
        #expect(order.orderId.shard == PartitionKey.buyer(.ada, of: .game).shard)
        #expect(try orders.order(order.orderId) == order)
        #expect(order.reference == "R-1" && order.metadata == ["level": .integer(3)])
    }

    @Test func `the same request again has the same order`() throws {
        let metadata: [String: JSONValue] = ["a": .array([.null, .number(0.5)]), "b": .string("ü")]
        let request = OrderIssueV1.request(reference: "R-1", metadata: metadata)
        let first = try orders.issue(request)
        orders.now = orders.now.advanced(by: 60_000)
        #expect(try orders.issue(request) == first)
        #expect(try orders.contents().count == 1)
    }

    @Test func `the same request again sees how far its order has come`() throws {
        let first = try orders.issue()
        try orders.propose(.token(first.orderId.rawValue))
        #expect(try orders.issue().state == .paid)
    }

    @Test(arguments: ["product", "quantity", "environment", "reference", "metadata", "issuer"])
    func `the same key with other content is refused and leaves no trace`(member: String) throws {
        _ = try orders.issue()
        let before = try orders.contents()
        var other = OrderIssueV1.request()
        switch member {
        case "product": other.productId = ProductID(unchecked: "gems.5")
        case "quantity": other.quantity = 2
        case "environment": other.environment = .sandbox
        case "reference": other.reference = "R-2"
        case "issuer": other.issuedBy = .phone
        default: other.metadata = ["x": .bool(true)]
        }
        #expect(try orders.request(other).refusal == .keyReused)
        #expect(try orders.contents() == before)
    }

    @Test func `one key serves two buyers, and two apps`() throws {
        let first = try orders.issue()
        let second = try orders.issue(.request(buyer: BuyerID(unchecked: "grace")))
        let third = try orders.issue(.request(app: .otherApp))
        #expect(Set([first, second, third].map(\.orderId)).count == 3)
    }

    @Test func `a reference is unique for its buyer, whoever shares the partition`() throws {
        _ = try orders.issue(.request(key: "key-1", reference: "R-1"))
        let again = try orders.request(.request(key: "key-2", reference: "R-1"))
        #expect(again.refusal == .referenceTaken)
        #expect(try orders.issue(.request(app: .otherApp, reference: "R-1")).reference == "R-1")
        let others = try orders.issue(.request(buyer: .eve, reference: "R-1"))
        #expect(others.reference == "R-1" && others.buyerId == .eve)
    }

    @Test func `metadata above 2 KiB is refused by name`() throws {
        let request = OrderIssueV1.request(metadata: ["x": .string(String(repeating: "y", count: 2_048))])
        #expect(try orders.request(request).refusal == .metadata)
        #expect(try orders.contents().isEmpty)
    }

    @Test func `an order is found by its reference, but by its own app only`() throws {
        let order = try orders.issue(.request(reference: "R-1"))
        let others = try orders.issue(.request(buyer: .eve, reference: "R-1"))
        func find(_ reference: String, of app: BundleID) throws -> [OrderV1]? {
            let request = OrdersFindV1(bundleId: app, reference: reference)
            return try orders.handle(request, OnOrdersFind().callAsFunction).reply?.orders
        }
        #expect(try find("R-1", of: .game) == [order, others])
        #expect(try find("R-1", of: .otherApp) == [] && find("R-2", of: .game) == [])
        let get = OrderGetV1(bundleId: .otherApp, orderId: order.orderId)
        #expect(try orders.request(get).refusal == .noSuchOrder)
    }

    @Test func `an unpaid order is closed once, with its first reason`() throws {
        let id = try orders.issue().orderId
        let closed = try orders.close(id, .expired)
        #expect(closed.state == .closed && closed.closeReason == .expired)
        let rows = try orders.contents()
        #expect(try orders.close(id, .failed) == closed)
        #expect(try orders.contents() == rows)
    }

    @Test func `a paid order is never closed, granted or not`() throws {
        let id = try orders.issuePaid()
        let request = OrderCloseV1(bundleId: .game, orderId: id, reason: .cancelled)
        #expect(try orders.request(request).refusal == .orderIsPaid)
        #expect(try orders.recordGrant(id, .granted) == .applied)
        #expect(try orders.request(request).refusal == .orderIsPaid)
        #expect(try orders.order(id).state == .granted)
    }

    @Test func `another app's order cannot be closed`() throws {
        let id = try orders.issue().orderId
        let request = OrderCloseV1(bundleId: .otherApp, orderId: id, reason: .cancelled)
        #expect(try orders.request(request).refusal == .noSuchOrder)
        #expect(try orders.order(id).state == .issued)
    }

    @Test func `a token is registered once, in any case`() throws {
        let token = "F47AC10B-58CC-4372-A567-0E02B2C3D479"
        let first = try #require(try orders.register(token).reply)
        #expect(first.appAccountToken == token.lowercased())
        #expect(try orders.register(token.lowercased()).reply == first)
        #expect(try orders.register(token.lowercased(), for: .eve).refusal == .tokenTaken)
        #expect(try orders.rows("SELECT 1 FROM token_owner").count == 1)
    }

    @Test func `an order's id is nobody's own token, and no text but a UUID other than the nil one is one`()
        throws
    {
        let id = try orders.issue().orderId
        #expect(try orders.register(id.rawValue).refusal == .tokenIsOrder)
        #expect(try orders.register("not-a-uuid").refusal == .tokenIsNoUUID)
        #expect(try orders.register("00000000-0000-0000-0000-000000000000").refusal == .tokenIsNoUUID)
    }
}
