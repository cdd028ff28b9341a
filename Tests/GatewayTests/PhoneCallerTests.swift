import Contracts
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import NIOCore
import Program
import Testing

@testable import Gateway

@Suite struct `A phone` {
    /// What is open to phones.
    static let open: Set<String> = [
        "POST /v1/orders", "GET /v1/orders/{orderId}", "POST /v1/orders/{orderId}/close",
        "POST /v1/orders/{orderId}/report", "POST /v1/orders/{orderId}/log", "POST /v1/receipts",
        "GET /v1/receipts/{receiptId}", "GET /v1/products", "GET /v1/buyers/{buyerId}/entitlements",
        "GET /v1/buyers/{buyerId}/subscriptions", "GET /v1/buyers/{buyerId}/orders",
    ]

    private static let order = #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100"}"#

    private func issue(_ body: String, _ gateway: TestGateway) async throws -> TestGateway.Response {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await gateway.post("/v1/orders", body, key: PhoneSigner.token(), headers: [name: "k"])
    }

    @Test func `issues orders, and the order says so`() async throws {
        let gateway = try await TestGateway().takingPhones()
        let response = try await issue(Self.order, gateway)
        #expect(response.status == 201 && response["issuedBy"] == .string("phone"), "\(response.text)")
        #expect(gateway.caller.requests(OrderIssueV1.self).map(\.issuedBy) == [.phone])
        _ = try await gateway.issue(Self.order)
        #expect(gateway.caller.requests(OrderIssueV1.self).map(\.issuedBy) == [.phone, nil])
    }

    @Test func `names no reference`() async throws {
        let body = Self.order.dropLast() + #","reference":"R-1"}"#
        try await TestGateway().takingPhones().refuses(403, naming: "reference") {
            try await issue(String(body), $0)
        }
    }

    @Test func `asks of orders and receipts for its buyer alone`() async throws {
        let gateway = try await TestGateway().takingPhones()
        let (token, order) = (PhoneSigner.token(), "/v1/orders/\(FakeCaller.orderID)")
        let steps = #"[{"at":1,"step":"paid"}]"#
        #expect(try await gateway.get(order, key: token).status == 200)
        #expect(
            try await gateway.post("\(order)/close", #"{"reason":"cancelled"}"#, key: token).status == 200
        )
        #expect(try await gateway.post("\(order)/report", #"{"outcome":"failed"}"#, key: token).status == 200)
        #expect(try await gateway.post("\(order)/log", steps, key: token).status == 200)
        #expect(try await gateway.get("/v1/receipts/\(FakeCaller.receiptID)", key: token).status == 200)
        #expect(try await gateway.post("/v1/receipts", TestGateway.receipt, key: token).status == 200)
        let caller = gateway.caller
        #expect(caller.requests(OrderGetV1.self).map(\.buyerId) == [TestGateway.buyer])
        #expect(caller.requests(OrderCloseV1.self).map(\.buyerId) == [TestGateway.buyer])
        #expect(caller.requests(OrderReportV1.self).map(\.buyerId) == [TestGateway.buyer])
        #expect(caller.requests(OrderLogV1.self).map(\.buyerId) == [TestGateway.buyer])
        #expect(caller.requests(VerdictWaitV1.self).first?.buyerId == TestGateway.buyer)
        _ = try await gateway.get(order)
        #expect(caller.requests(OrderGetV1.self).last?.buyerId == nil, "a server asks for any buyer")
    }

    @Test(arguments: ["entitlements", "subscriptions", "orders"])
    func `reads what is its buyer's, and nothing of another one`(_ what: String) async throws {
        let gateway = try await TestGateway().takingPhones()
        #expect(try await gateway.get("/v1/buyers/b1/\(what)", key: PhoneSigner.token()).status == 200)
        try await TestGateway().takingPhones().refuses(403, naming: "buyerId") {
            try await $0.get("/v1/buyers/b2/\(what)", key: PhoneSigner.token())
        }
    }

    @Test func `says that another login has bought it, and hands in no id alone`() async throws {
        let gateway = try await TestGateway().takingPhones()
        let token = PhoneSigner.token()
        let another = TestGateway.receipt.dropLast() + #","purchasedBy":"b2"}"#
        #expect(try await gateway.post("/v1/receipts", String(another), key: token).status == 200)
        let submission = try #require(gateway.caller.requests(ReceiptSubmitV1.self).first)
        #expect(submission.buyerId == TestGateway.buyer && submission.purchasedBy?.rawValue == "b2")
        let id = #"{"bundleId":"com.example.game","buyerId":"b1","transactionId":"2000000812345678"}"#
        let refused = try await gateway.post("/v1/receipts", id, key: token)
        #expect(refused.status == 403 && refused["code"] == .string("serverKeyNeeded"), "\(refused.text)")
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).count == 1)
    }

    @Test func `neither issues nor submits for another buyer`() async throws {
        let (order, receipt) = (Self.order, TestGateway.receipt)
        try await TestGateway().takingPhones().refuses(403, naming: "buyerId") {
            try await issue(order.replacing("b1", with: "b2"), $0)
        }
        try await TestGateway().takingPhones().refuses(403, naming: "buyerId") {
            try await $0.post("/v1/receipts", receipt.replacing("b1", with: "b2"), key: PhoneSigner.token())
        }
    }

    @Test func `of another app is 403`() async throws {
        let token = PhoneSigner.token(
            header: ["kid": .string("other")],
            claims: ["aud": .string("com.example.other")],
            secret: PhoneSigner.keyOfOtherApp.secret ?? ""
        )
        try await TestGateway().takingPhones().refuses(403, naming: "bundleId") {
            try await $0.post("/v1/receipts", TestGateway.receipt, key: token)
        }
    }

    @Test func `may do nothing else, whatever its token claims`() async throws {
        let gateway = try await TestGateway().takingPhones()
        let token = PhoneSigner.token(claims: [
            "scope": .string("admin credit spend consent"), "admin": .bool(true), "role": .string("server"),
        ])
        let closed = gateway.context.routes.filter { route in
            route.path.hasPrefix("/v1") && !route.path.hasPrefix("/v1/apple")
                && !Self.open.contains("\(route.method.rawValue) \(route.path)")
        }
        #expect(closed.count >= 7)
        for route in closed {
            let path = route.path.replacing("{buyerId}", with: "b1")
            let response = try await gateway.send(route.method, path, key: token)
            #expect(response.status == 403, "\(route.method) \(path): \(response.text)")
            #expect(response["code"] == .string("serverKeyNeeded"))
        }
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `is slowed down alone, with 429, and where proofs are taken 503`() async throws {
        var gateway = TestGateway(uptime: { 5_000 })
        gateway = try await gateway.takingPhones()
        let (token, path) = (PhoneSigner.token(), "/v1/buyers/b1/orders")
        for _ in 0..<10 { #expect(try await gateway.get(path, key: token).status == 200) }
        let limited = try await gateway.get(path, key: token)
        #expect(limited.status == 429 && limited.headers[.retryAfter] == "1", "\(limited.text)")
        let calls = gateway.caller.calls.count
        let proof = try await gateway.post("/v1/receipts", TestGateway.receipt, key: token)
        #expect(proof.status == 503 && proof.headers[.retryAfter] == "1")
        #expect(gateway.caller.calls.count == calls)
        let other = PhoneSigner.token(claims: ["sub": .string("b2")])
        #expect(try await gateway.get("/v1/buyers/b2/orders", key: other).status == 200)
        #expect(try await gateway.get(path).status == 200, "the app's server is not a phone")
    }

    @Test(.timeLimit(.minutes(5)))
    func `has a limited number of requests in flight, and the next one is 503 or 429, for its buyer alone`()
        async throws
    {
        let (latch, uptime) = (Latch(), NIOLockedValueBox<Int64>(5_000))
        var gateway = TestGateway(
            { request, _ in
                if (request as? VerdictWaitV1)?.buyerId == TestGateway.buyer { await latch.wait() }
                return nil
            },
            uptime: {
                uptime.withLockedValue { uptime in
                    uptime += 1_000
                    return uptime
                }
            }
        )
        gateway = try await gateway.takingPhones()
        let (phones, token, other) = (
            gateway, PhoneSigner.token(), PhoneSigner.token(claims: ["sub": .string("b2")])
        )
        let path = "/v1/receipts/\(FakeCaller.receiptID)?wait=30000"
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<BuyersInFlight.maximumRequests {
                group.addTask { try await phones.get(path, key: token).status }
            }
            for await _ in latch.arrivals.prefix(BuyersInFlight.maximumRequests) {}
            let calls = phones.caller.calls.count
            let late = try await phones.post("/v1/receipts", TestGateway.receipt, key: token)
            #expect(late.status == 503 && late.headers[.retryAfter] == "1", "\(late.text)")
            #expect(try await phones.get("/v1/products", key: token).status == 429)
            #expect(phones.caller.calls.count == calls)
            #expect(try await phones.get(path, key: other).status == 200)
            #expect(try await phones.get("/v1/products").status == 200, "the app's server is not a phone")
            latch.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await phones.get("/v1/products", key: token).status == 200)
        #expect(phones.context.rateLimits.inFlight.count == 0)
    }
}
