import Contracts
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Orders over HTTP` {
    private static let smallest = #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100"}"#

    private static func order(_ member: String) -> String {
        smallest.dropLast() + "," + member + "}"
    }

    /// An order with other values, written as JSON.
    private static func order(
        bundle: String = #""com.example.game""#,
        buyer: String = #""b1""#,
        product: String = #""coins.100""#
    ) -> String {
        #"{"bundleId":\#(bundle),"buyerId":\#(buyer),"productId":\#(product)}"#
    }

    @Test func `an order is made with the defaults that the interface promises`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.issue(Self.smallest)
        #expect(response.status == 201)
        #expect(response["orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(response["appAccountToken"] == response["orderId"])
        #expect(response["state"] == .string("issued"))
        #expect(response["createdAt"] == .integer(1_000))
        let request = try #require(gateway.caller.requests(OrderIssueV1.self).first)
        #expect(request.quantity == 1 && request.environment == .production)
        #expect(request.idempotencyKey == "k1")
    }

    @Test func `an order goes to the partition of its buyer`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.issue(Self.smallest)
        let call = try #require(gateway.caller.calls.first)
        #expect(call.partition == TestGateway.partition(.orders))
        #expect(call.subject == "com.example.game/b1")
    }

    private static func nested(levels: Int) -> String {
        String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }

    @Test func `metadata of 8 levels is taken as it is`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.issue(Self.order(#""metadata":\#(Self.nested(levels: 8))"#))
        #expect(response.status == 201)
        #expect(try #require(gateway.caller.requests(OrderIssueV1.self).first?.metadata).count == 1)
    }

    @Test func `reference and metadata come back`() async throws {
        let body = Self.order(
            #""reference":"A-1","metadata":{"level":7,"deep":{"x":[true,null]}},"quantity":10"#
        )
        let response = try await TestGateway().issue(body)
        #expect(response.status == 201)
        #expect(response["reference"] == .string("A-1"))
        #expect(response["metadata", "level"] == .integer(7))
        #expect(response["metadata", "deep", "x", "0"] == .bool(true))
        #expect(response["quantity"] == .integer(10))
    }

    /// Beside those of `Bad input`.
    @Test(arguments: [
        (order(bundle: #""a b""#), "bundleId"), (order(buyer: #""""#), "buyerId"),
        (order(buyer: #""a\nb""#), "buyerId"), (order(product: #""coins.999""#), "productId"),
        (order(#""quantity":11"#), "quantity"), (order(#""quantity":"1""#), "quantity"),
        (order(#""environment":"production""#), "environment"), (order(#""reference":"""#), "reference"),
        (order(#""environment":"Xcode""#), "environment"),
        (order(#""reference":"\#(String(repeating: "r", count: 129))""#), "reference"),
        (order(#""metadata":{"a":"\#(String(repeating: "m", count: 2_048))"}"#), "metadata"),
        (order(#""metadata":{"a":[1,1e999]}"#), "metadata.a"),
        (order(#""metadata":\#(nested(levels: 9))"#), "metadata"),
        (order(#""metadata":\#(nested(levels: 31))"#), "metadata"),
    ])
    func `a wrong value is answered 422 and named`(_ body: String, _ field: String) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.issue(body) }
    }

    @Test func `an order of a retired product is left to Orders, which knows a repeated request`()
        async throws
    {
        let gateway = TestGateway()
        _ = try await gateway.issue(Self.order(product: #""coins.old""#))
        let request = try #require(gateway.caller.requests(OrderIssueV1.self).first)
        #expect(request.productId.rawValue == "coins.old" && request.onSale == false)
    }

    @Test(arguments: [nil, "", "schlüssel", String(repeating: "k", count: 256)])
    func `an order needs an Idempotency-Key of 1 to 255 printable characters`(_ key: String?) async throws {
        try await TestGateway().refuses(400, naming: "Idempotency-Key") {
            try await $0.issue(Self.smallest, idempotencyKey: key)
        }
    }

    @Test func `an order is looked up in the partition that its id names`() async throws {
        let gateway = TestGateway()
        let id = FakeCaller.orderID.rawValue
        let response = try await gateway.get("/v1/orders/\(id.uppercased())")
        #expect(response.status == 200)
        #expect(response["orderId"] == .string(id))
        let call = try #require(gateway.caller.calls.first)
        #expect(call.partition == PartitionAddress(.orders, 6 % TestGateway.partitions))
    }

    @Test(arguments: [("nonsense", 404), ("%FF", 422), ("00000000-0000-4000-8000-000000000000", 404)])
    func `an order whose id cannot be is not found, and nobody is asked`(
        _ id: String,
        _ status: Int
    ) async throws {
        try await TestGateway().refuses(status, naming: "orderId") { try await $0.get("/v1/orders/\(id)") }
    }

    @Test func `orders are found by reference in whichever partition they are`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/orders?reference=A%201%26")
        #expect(response.status == 200)
        #expect(response["orders", "0", "orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(response["orders", "1", "orderId"] != nil && response["orders", "2"] == nil)
        let requests = gateway.caller.requests(OrdersFindV1.self)
        #expect(requests.count == TestGateway.partitions)
        #expect(requests.allSatisfy { $0.reference == "A 1&" && $0.bundleId.rawValue == "com.example.game" })
    }

    @Test func `a search that one partition does not answer is 503, not an empty list`() async throws {
        let gateway = TestGateway { _, partition throws(Problem) in
            if partition.partition == 3 { throw .unanswered } else { nil }
        }
        let response = try await gateway.get("/v1/orders?reference=A")
        #expect(response.status == 503)
        #expect(response.headers[.retryAfter] != nil)
    }

    @Test(arguments: ["", "?reference=", "?ref=A"])
    func `a search without a reference is answered 422 and named`(_ query: String) async throws {
        try await TestGateway().refuses(naming: "reference") { try await $0.get("/v1/orders\(query)") }
    }

    @Test(arguments: OrderCloseReason.allCases)
    func `an order is closed for every reason there is`(_ reason: OrderCloseReason) async throws {
        let gateway = TestGateway()
        let path = "/v1/orders/\(FakeCaller.orderID)/close"
        let response = try await gateway.post(path, #"{"reason":"\#(reason.rawValue)"}"#)
        #expect(response.status == 200)
        #expect(response["state"] == .string("closed"))
        #expect(gateway.caller.requests(OrderCloseV1.self).first?.reason == reason)
    }

    @Test(arguments: [#"{"reason":"bored"}"#, #"{"reason":1}"#, "{}"])
    func `an order is closed for no other reason`(_ body: String) async throws {
        try await TestGateway().refuses(naming: "reason") {
            try await $0.post("/v1/orders/\(FakeCaller.orderID)/close", body)
        }
    }

    @Test(arguments: [
        (RequestRefusal.Code.notFound, 404), (.conflict, 409), (.invalid, 422), (.busy, 503), (.unknown, 501),
    ])
    func `what Orders refuses has one status for each kind`(
        _ code: RequestRefusal.Code,
        _ status: Int
    ) async throws {
        let gateway = TestGateway { _, _ throws(Problem) in
            throw Problem(RequestRefusal(code, "Because.", field: "reference"))
        }
        let response = try await gateway.issue(Self.smallest)
        #expect(response.status == status)
        #expect(response["detail"] == .string("Because."))
        #expect((response.headers[.retryAfter] != nil) == (status == 503))
    }
}
