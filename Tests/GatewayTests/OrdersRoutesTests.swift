import Contracts
import Delivery
import Domain
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Orders over HTTP` {
    private static let smallest = #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100"}"#

    private static func order(_ member: String) -> String {
        smallest.dropLast() + "," + member + "}"
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
        #expect(request.quantity == 1)
        #expect(request.environment == .production)
        #expect(request.idempotencyKey == "k1")
    }

    @Test func `an order goes to the partition of its buyer`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.issue(Self.smallest)
        let call = try #require(gateway.caller.calls.first)
        #expect(
            call.partition
                == TestGateway.partition(.orders, .buyer(TestGateway.buyer, of: TestGateway.bundle))
        )
        #expect(call.subject == "com.example.game/b1")
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

    @Test(arguments: [
        (#"{"buyerId":"b1","productId":"coins.100"}"#, "bundleId"),
        (#"{"bundleId":"com.example.game","productId":"coins.100"}"#, "buyerId"),
        (#"{"bundleId":"com.example.game","buyerId":"b1"}"#, "productId"),
        (#"{"bundleId":5,"buyerId":"b1","productId":"coins.100"}"#, "bundleId"),
        (#"{"bundleId":"a b","buyerId":"b1","productId":"coins.100"}"#, "bundleId"),
        (#"{"bundleId":"com.example.game","buyerId":null,"productId":"coins.100"}"#, "buyerId"),
        (#"{"bundleId":"com.example.game","buyerId":"","productId":"coins.100"}"#, "buyerId"),
        (#"{"bundleId":"com.example.game","buyerId":"a\nb","productId":"coins.100"}"#, "buyerId"),
        (#"{"bundleId":"com.example.game","buyerId":"b1","productId":["coins.100"]}"#, "productId"),
        (#"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.999"}"#, "productId"),
        (#"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.old"}"#, "productId"),
        (order(#""quantity":0"#), "quantity"), (order(#""quantity":11"#), "quantity"),
        (order(#""quantity":1.5"#), "quantity"), (order(#""quantity":"1""#), "quantity"),
        (order(#""quantity":true"#), "quantity"), (order(#""quantity":1e400"#), "quantity"),
        (order(#""quantity":123456789012345678901234567890"#), "quantity"),
        (order(#""environment":"production""#), "environment"), (order(#""environment":7"#), "environment"),
        (order(#""environment":"Xcode""#), "environment"), (order(#""reference":"""#), "reference"),
        (order(#""reference":12"#), "reference"),
        (order(#""reference":"\#(String(repeating: "r", count: 129))""#), "reference"),
        (order(#""metadata":[1]"#), "metadata"), (order(#""metadata":"x""#), "metadata"),
        (order(#""metadata":{"a":"\#(String(repeating: "m", count: 2_048))"}"#), "metadata"),
        (order(#""metadata":{"a":[1,1e999]}"#), "metadata.a"),
    ])
    func `a wrong value is answered 422 and named`(_ body: String, _ field: String) async throws {
        let gateway = TestGateway()
        let response = try await gateway.issue(body)
        #expect(response.status == 422, "\(response.text)")
        #expect(response.field == field, "\(response.text)")
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test(arguments: [nil, "", "schlüssel", String(repeating: "k", count: 256)])
    func `an order needs an Idempotency-Key of 1 to 255 printable characters`(_ key: String?) async throws {
        let response = try await TestGateway().issue(Self.smallest, idempotencyKey: key)
        #expect(response.status == 400)
        #expect(response.field == "Idempotency-Key")
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

    @Test(arguments: ["nonsense", "%FF", "00000000-0000-4000-8000-000000000000"])
    func `an order whose id cannot be is not found, and nobody is asked`(_ id: String) async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/orders/\(id)")
        #expect([404, 422].contains(response.status))
        #expect(response.field == "orderId")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `orders are found by reference in whichever partition they are`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/orders?reference=A%201%26")
        #expect(response.status == 200)
        #expect(response["orders", "0", "orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(response["orders", "1"] == nil)
        let requests = gateway.caller.requests(OrderGetV1.self)
        #expect(requests.count == TestGateway.partitions)
        #expect(requests.allSatisfy { $0.reference == "A 1&" && $0.bundleId.rawValue == "com.example.game" })
    }

    @Test func `a search that one partition does not answer is 503, not an empty list`() async throws {
        let gateway = TestGateway { request, partition throws(Problem) in
            guard partition.partition != 3 else { throw .unanswered }
            return try await FakeCaller.succeed(request, partition)
        }
        let response = try await gateway.get("/v1/orders?reference=A")
        #expect(response.status == 503)
        #expect(response.headers[.retryAfter] != nil)
    }

    @Test(arguments: ["", "?reference=", "?ref=A"])
    func `a search without a reference is answered 422 and named`(_ query: String) async throws {
        let response = try await TestGateway().get("/v1/orders\(query)")
        #expect(response.status == 422)
        #expect(response.field == "reference")
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
        let response = try await TestGateway().post("/v1/orders/\(FakeCaller.orderID)/close", body)
        #expect(response.status == 422)
        #expect(response.field == "reason")
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
