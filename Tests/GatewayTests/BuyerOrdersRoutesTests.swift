import Contracts
import Testing

@testable import Gateway

@Suite struct `A buyer's orders over HTTP` {
    @Test func `are those of production, 50 a page, unless the request says otherwise`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/buyers/b1/orders")
        #expect(response.status == 200)
        #expect(response["orders", "0", "orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(response["next"] == .string(FakeCaller.orderID.rawValue))
        let after = FakeCaller.orderID.rawValue.uppercased()
        let query = "state=refunded&productId=coins.100&environment=Sandbox&limit=7&after=\(after)"
        _ = try await gateway.get("/v1/buyers/b1/orders?\(query)")
        let plain = OrdersListV1(
            bundleId: TestGateway.bundle,
            buyerId: TestGateway.buyer,
            environment: .production,
            limit: 50
        )
        var other = plain
        other.environment = .sandbox
        other.states = [.refunded]
        other.productId = ProductID(unchecked: "coins.100")
        other.after = FakeCaller.orderID
        other.limit = 7
        #expect(gateway.caller.requests(OrdersListV1.self) == [plain, other])
        let partition = TestGateway.partition(.orders)
        #expect(gateway.caller.calls.map(\.partition) == [partition, partition])
    }

    @Test func `are open while they are issued, deferred, paid or parked`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.get("/v1/buyers/b1/orders?state=open")
        let states = try #require(gateway.caller.requests(OrdersListV1.self).first?.states)
        #expect(Set(states) == [.issued, .deferred, .paid, .parked])
    }

    @Test(arguments: [
        ("all", OrderV1.Origin.allCases), ("renewal", [.renewal]), ("spot", [.spot]), ("server", [.server]),
        ("phone", [.phone]),
    ])
    func `are those of the origin asked for, or all`(_ word: String, _ origins: [OrderV1.Origin]) async throws
    {
        let gateway = TestGateway()
        _ = try await gateway.get("/v1/buyers/b1/orders?origin=\(word)")
        #expect(gateway.caller.requests(OrdersListV1.self).first?.origins == origins)
    }

    @Test(arguments: [
        ("state=new", "state"), ("state=", "state"), ("productId=", "productId"), ("after=x", "after"),
        ("after=f47ac10b-58cc-4372-a567-0e02b2c3d479", "after"), ("limit=0", "limit"), ("limit=101", "limit"),
        ("environment=prod", "environment"), ("origin=web", "origin"), ("origin=", "origin"),
        ("origin=renewal,spot", "origin"), ("origin=spot&origin=renewal", "origin"),
        ("state=open&state=paid", "state"),
    ])
    func `are refused with a wrong parameter, which is named`(_ query: String, _ field: String) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.get("/v1/buyers/b1/orders?\(query)") }
    }
}

@Suite struct `The catalog's limits on new orders over HTTP` {
    private static let sale = #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.sale"}"#

    @Test(arguments: [(-1, false), (0, true), (999, true), (1_000, false)])
    func `Orders hears whether the product is on sale now, and how many one buyer may have`(
        _ milliseconds: Int64,
        _ isOnSale: Bool
    ) async throws {
        let gateway = TestGateway(now: Timestamp(milliseconds: 1_760_000_000_000 + milliseconds))
        _ = try await gateway.issue(Self.sale)
        let issue = try #require(gateway.caller.requests(OrderIssueV1.self).first)
        #expect(issue.limit == 3 && issue.onSale == (isOnSale ? nil : false) && issue.onlyOne == nil)
    }

    @Test func `an open order comes with the refusal of a second one`() async throws {
        let open = FakeCaller.order(FakeCaller.orderID)
        let gateway = TestGateway { _, _ throws(Problem) in
            throw Problem(RequestRefusal(.conflict, "Open.", reason: "openOrder", order: open))
        }
        let response = try await gateway.issue(Self.sale.dropLast() + #","onlyOne":true}"#)
        #expect(response.status == 409)
        #expect(response["code"] == .string("openOrder"))
        #expect(response["order", "orderId"] == .string(open.orderId.rawValue))
        #expect(gateway.caller.requests(OrderIssueV1.self).first?.onlyOne == true)
    }

    @Test func `a problem without a reason has the word of its kind`() async throws {
        let gateway = TestGateway { _, _ throws(Problem) in throw Problem(RequestRefusal(.conflict, "No.")) }
        #expect(try await gateway.issue(Self.sale)["code"] == .string("conflict"))
        #expect(try await gateway.issue("{}")["code"] == .string("invalid"))
        #expect(try await gateway.get("/v1/orders/x")["code"] == .string("notFound"))
    }
}
