import TestKit
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The gateway as a phone and a game's server see it.
final class Gateway: Sendable {
    /// What came back, or nothing.
    struct Reply: Sendable {
        let status: Int
        let body: Data

        var isPositive: Bool { (200..<300).contains(status) }
        var text: String { String(decoding: body, as: UTF8.self) }

        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            do {
                return try JSONDecoder().decode(type, from: body)
            } catch {
                throw HarnessFault("not \(type): \(status) \(text)")
            }
        }
    }

    let url: String
    /// The app as which it is asked.
    let bundleID: String
    private let apiKey: String
    private let client: HTTPClient

    convenience init(url: String, home: TestHome) {
        self.init(url: url, bundleID: TestHome.bundleID, apiKey: home.apiKey)
    }

    init(url: String, bundleID: String, apiKey: String) {
        self.url = url
        self.bundleID = bundleID
        self.apiKey = apiKey
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(2)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func shutdown() async throws { try await client.shutdown() }

    /// `POST /v1/orders`.
    func issue(
        _ buyer: String,
        product: String = TestHome.coins,
        reference: String? = nil,
        key: String
    ) async throws -> Reply {
        var body = ["bundleId": bundleID, "buyerId": buyer, "productId": product]
        body["reference"] = reference
        return try await post("/v1/orders", body, headers: ["Idempotency-Key": key])
    }

    /// `POST /v1/orders/{orderId}/close`.
    func close(_ order: String) async throws -> Reply {
        try await post("/v1/orders/\(order)/close", ["reason": "expired"])
    }

    /// `POST /v1/receipts`.
    func submit(
        _ buyer: String,
        proof: String,
        kind: String = "signedTransaction",
        order: String? = nil,
        wait: Int = 5_000
    ) async throws -> Reply {
        var body = ["bundleId": bundleID, "buyerId": buyer, kind: proof]
        body["orderId"] = order
        return try await post("/v1/receipts?wait=\(wait)", body)
    }

    /// `POST /v1/apple/notifications`, as Apple does.
    func notify(_ signedPayload: String) async throws -> Reply {
        try await post("/v1/apple/notifications", ["signedPayload": signedPayload])
    }

    /// The same with the body of a notification of version 1, which is not signed.
    func notify(version1 body: Data) async throws -> Reply {
        try await post("/v1/apple/notifications", body: body)
    }

    /// `GET` of any path.
    func get(_ path: String) async throws -> Reply { try await send(HTTPClientRequest(url: url + path)) }

    private func post(
        _ path: String,
        _ body: [String: String],
        headers: [String: String] = [:]
    ) async throws -> Reply {
        try await post(path, body: try JSONEncoder().encode(body), headers: headers)
    }

    private func post(
        _ path: String,
        body: Data,
        headers: [String: String] = [:]
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await send(request)
    }

    private func send(_ request: HTTPClientRequest) async throws -> Reply {
        var request = request
        request.headers.add(name: "Authorization", value: "Bearer \(apiKey)")
        let response = try await client.execute(request, timeout: .seconds(20))
        let body = try await response.body.collect(upTo: 16 << 20)
        return Reply(status: Int(response.status.code), body: Data(body.readableBytesView))
    }

    /// Repeats a request until it is answered with a 2xx, as an app does.
    ///
    /// - Throws: `HarnessFault` for a 4xx, or when there was no 2xx in time.
    func insist(
        _ what: String,
        within limit: Duration = .seconds(40),
        _ request: () async throws -> Reply
    ) async throws -> Reply {
        var last = "no answer"
        return try await eventually("\(what) is answered; last: \(last)", within: limit, detail: { last }) {
            do {
                let reply = try await request()
                if reply.isPositive { return reply }
                last = "\(reply.status) \(reply.text)"
                if (400..<500).contains(reply.status) { throw HarnessFault("\(what): \(last)") }
            } catch let fault as HarnessFault {
                throw fault
            } catch {
                last = "\(error)"
            }
            return nil
        }
    }
}

/// What the tests read of an order.
struct OrderAnswer: Decodable {
    let orderId: String
    let appAccountToken: String
    let state: String
}

/// What the tests read of a verdict.
struct VerdictAnswer: Decodable {
    struct Transaction: Decodable {
        let orderId: String?
        let verdict: String
        let grantedAt: Int64?
    }

    let receiptId: String
    let verdict: String
    let finish: Bool
    let reason: String?
    let transactions: [Transaction]
}

/// What the tests read of a ledger.
struct LedgerAnswer: Decodable {
    struct Entry: Decodable {
        let entryId: String
        let kind: String
        let amount: Int
        let transactionId: String
        let orderId: String
    }

    let entries: [Entry]
    let next: String?
}

/// What the tests read of a buyer's holdings.
struct HoldingsAnswer: Decodable {
    let balances: [String: Int]
}
