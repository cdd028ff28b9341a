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
        let answer = try await gateway.test { try await $0.issue(Self.smallest) }
        #expect(answer.status == 201)
        #expect(answer["orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(answer["appAccountToken"] == answer["orderId"])
        #expect(answer["state"] == .string("issued"))
        #expect(answer["createdAt"] == .integer(1_000))
        let request = try #require(gateway.caller.requests(OrderIssueV1.self).first)
        #expect(request.quantity == 1)
        #expect(request.environment == .production)
        #expect(request.idempotencyKey == "k1")
    }

    @Test func `an order goes to the partition of its buyer`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.test { try await $0.issue(Self.smallest) }
        let shard = PartitionKey.buyer(BuyerID(unchecked: "b1"), of: BundleID(unchecked: "com.example.game"))
            .shard
        let call = try #require(gateway.caller.calls.first)
        #expect(call.partition == PartitionAddress(.orders, shard.partition(of: TestGateway.partitions)))
        #expect(call.subject == "com.example.game/b1")
    }

    @Test func `reference and metadata come back`() async throws {
        let body = Self.order(
            #""reference":"A-1","metadata":{"level":7,"deep":{"x":[true,null]}},"quantity":10"#
        )
        let answer = try await TestGateway().test { try await $0.issue(body) }
        #expect(answer.status == 201)
        #expect(answer["reference"] == .string("A-1"))
        #expect(answer["metadata", "level"] == .integer(7))
        #expect(answer["metadata", "deep", "x", "0"] == .bool(true))
        #expect(answer["quantity"] == .integer(10))
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
        let answer = try await gateway.test { try await $0.issue(body) }
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.field == field, "\(answer.text)")
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test(arguments: [nil, "", "schlüssel", String(repeating: "k", count: 256)])
    func `an order needs an Idempotency-Key of 1 to 255 printable characters`(_ key: String?) async throws {
        let answer = try await TestGateway().test { try await $0.issue(Self.smallest, idempotencyKey: key) }
        #expect(answer.status == 400)
        #expect(answer.field == "Idempotency-Key")
    }

    @Test func `an order is looked up in the partition that its id names`() async throws {
        let gateway = TestGateway()
        let id = FakeCaller.orderID.rawValue
        let answer = try await gateway.test { try await $0.get("/v1/orders/\(id.uppercased())") }
        #expect(answer.status == 200)
        #expect(answer["orderId"] == .string(id))
        let call = try #require(gateway.caller.calls.first)
        #expect(call.partition == PartitionAddress(.orders, 6 % TestGateway.partitions))
    }

    @Test(arguments: ["nonsense", "%FF", "00000000-0000-4000-8000-000000000000"])
    func `an order whose id cannot be is not found, and nobody is asked`(_ id: String) async throws {
        let gateway = TestGateway()
        let answer = try await gateway.test { try await $0.get("/v1/orders/\(id)") }
        #expect([404, 422].contains(answer.status))
        #expect(answer.field == "orderId")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `orders are found by reference in whichever partition they are`() async throws {
        let gateway = TestGateway()
        let answer = try await gateway.test { try await $0.get("/v1/orders?reference=A%201%26") }
        #expect(answer.status == 200)
        #expect(answer["orders", "0", "orderId"] == .string(FakeCaller.orderID.rawValue))
        #expect(answer["orders", "1"] == nil)
        let requests = gateway.caller.requests(OrderGetV1.self)
        #expect(requests.count == TestGateway.partitions)
        #expect(requests.allSatisfy { $0.reference == "A 1&" && $0.bundleId.rawValue == "com.example.game" })
    }

    @Test func `a search that one partition does not answer is 503, not an empty list`() async throws {
        let gateway = TestGateway { request, partition throws(PartitionFault) in
            guard partition.partition != 3 else { throw .unanswered }
            return try await FakeCaller.happily(request, partition)
        }
        let answer = try await gateway.test { try await $0.get("/v1/orders?reference=A") }
        #expect(answer.status == 503)
        #expect(answer.headers[.retryAfter] != nil)
    }

    @Test(arguments: ["", "?reference=", "?ref=A"])
    func `a search without a reference is answered 422 and named`(_ query: String) async throws {
        let answer = try await TestGateway().test { try await $0.get("/v1/orders\(query)") }
        #expect(answer.status == 422)
        #expect(answer.field == "reference")
    }

    @Test(arguments: OrderCloseReason.allCases)
    func `an order is closed for every reason there is`(_ reason: OrderCloseReason) async throws {
        let gateway = TestGateway()
        let path = "/v1/orders/\(FakeCaller.orderID)/close"
        let answer = try await gateway.test { try await $0.post(path, #"{"reason":"\#(reason.rawValue)"}"#) }
        #expect(answer.status == 200)
        #expect(answer["state"] == .string("closed"))
        #expect(gateway.caller.requests(OrderCloseV1.self).first?.reason == reason)
    }

    @Test(arguments: [#"{"reason":"bored"}"#, #"{"reason":1}"#, "{}"])
    func `an order is closed for no other reason`(_ body: String) async throws {
        let answer = try await TestGateway().test {
            try await $0.post("/v1/orders/\(FakeCaller.orderID)/close", body)
        }
        #expect(answer.status == 422)
        #expect(answer.field == "reason")
    }

    @Test(arguments: [
        (RequestRefusal.Code.notFound, 404), (.conflict, 409), (.invalid, 422), (.busy, 503), (.unknown, 501),
    ])
    func `what Orders refuses has one status for each kind`(
        _ code: RequestRefusal.Code,
        _ status: Int
    ) async throws {
        let gateway = TestGateway { _, _ throws(PartitionFault) in
            throw .refused(RequestRefusal(code, "Because.", field: "reference"))
        }
        let answer = try await gateway.test { try await $0.issue(Self.smallest) }
        #expect(answer.status == status)
        #expect(answer["detail"] == .string("Because."))
        #expect((answer.headers[.retryAfter] != nil) == (status == 503))
    }
}
