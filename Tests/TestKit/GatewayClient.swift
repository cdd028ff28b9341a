import Contracts
package import Foundation
import NIOConcurrencyHelpers
package import NIOCore
import NIOHTTP1
package import Program

/// The gateway as phones, a game's server and Apple use it.
package struct GatewayClient: Sendable {
    package let url: String
    /// The app as which it is asked.
    package let bundleID: String
    /// How long an answer is waited for beyond what the gateway was asked to wait.
    package var timeout = TimeAmount.seconds(20)
    /// The key with which a game's server makes tokens; with it, phones issue orders and hand proofs in by themselves.
    package var phoneKey: Configuration.PhoneTokenKey?
    /// By buyer.
    private let phoneTokens = NIOLockedValueBox<[String: String]>([:])
    private let connections: HTTPConnections
    private let authorization: [(String, String)]
    private static let encoder = JSONEncoder()

    /// A client of the gateway at `http://host:port`.
    ///
    /// - Throws: `HarnessFault` when the URL is none of that kind.
    package init(url: String, bundleID: String, apiKey: String) throws(HarnessFault) {
        self.url = url
        self.bundleID = bundleID
        authorization = [("Authorization", "Bearer \(apiKey)")]
        connections = try HTTPConnections(to: url)
    }

    package var executor: LoopExecutor { connections.executor }

    private struct NewOrder: Encodable {
        let bundleId: String
        let buyerId: String
        let productId: String
        let quantity: Int
        let reference: String?
        let onlyOne: Bool?
    }

    /// `POST /v1/orders`.
    package func issue(
        _ buyer: String,
        product: String = TestHome.coins,
        quantity: Int = 1,
        reference: String? = nil,
        onlyOne: Bool? = nil,
        key: String
    ) async throws -> HTTPReply {
        let order = NewOrder(
            bundleId: bundleID,
            buyerId: buyer,
            productId: product,
            quantity: quantity,
            reference: reference,
            onlyOne: onlyOne
        )
        let body = try Self.encoder.encode(order)
        return try await send("/v1/orders", body, of: buyer, key: key)
    }

    /// `POST /v1/orders/{orderId}/close`.
    package func close(_ order: String) async throws -> HTTPReply {
        try await post("/v1/orders/\(order)/close", json: #"{"reason":"expired"}"#)
    }

    /// `POST /v1/orders/{orderId}/report`; `language` is an `Accept-Language`.
    package func report(_ order: String, _ body: String, language: String) async throws -> HTTPReply {
        let headers = [("Accept-Language", language)]
        return try await send("/v1/orders/\(order)/report", Data(body.utf8), headers: headers)
    }

    /// `PUT /v1/buyers/{buyerId}`.
    package func register(_ token: String, for buyer: String) async throws -> HTTPReply {
        try await put("/v1/buyers/\(buyer)", json: #"{"appAccountToken":"\#(token)"}"#)
    }

    private struct Submission: Encodable {
        let bundleId: String
        let buyerId: String
        let orderId: String?
        let intent: String?
    }

    /// `POST /v1/receipts`; `wait` is how long the gateway waits for a verdict, in ms.
    ///
    /// The proof needs no escaping, and is as long as everything else together is short.
    package func submit(
        _ buyer: String,
        proof: String,
        kind: String = "signedTransaction",
        order: String? = nil,
        intent: String? = nil,
        wait: Int = 5_000
    ) async throws -> HTTPReply {
        let submission = Submission(bundleId: bundleID, buyerId: buyer, orderId: order, intent: intent)
        var body = try Self.encoder.encode(submission).dropLast()
        body.append(contentsOf: ",\"\(kind)\":\"".utf8)
        body.append(contentsOf: proof.utf8)
        body.append(contentsOf: "\"}".utf8)
        return try await send("/v1/receipts?wait=\(wait)", body, of: buyer, wait: wait)
    }

    /// `POST /v1/apple/server-notifications`, as Apple does.
    package func notify(_ signedPayload: String) async throws -> HTTPReply {
        try await notify(version1: Data(#"{"signedPayload":"\#(signedPayload)"}"#.utf8))
    }

    /// The same with the body of a notification of version 1, which is not signed.
    package func notify(version1 body: Data) async throws -> HTTPReply {
        try await send("/v1/apple/server-notifications", body)
    }

    /// `GET /v1/receipts/{receiptId}`; `wait` is how long the gateway waits for a verdict, in ms.
    package func verdict(_ receipt: String, wait: Int = 0) async throws -> HTTPReply {
        try await get("/v1/receipts/\(receipt)?wait=\(wait)", wait: wait)
    }

    /// `GET /v1/buyers/{buyerId}/ledger`.
    package func ledger(of buyer: String, after entry: String?, limit: Int = 1_000) async throws -> HTTPReply
    {
        try await get("/v1/buyers/\(buyer)/ledger?limit=\(limit)" + (entry.map { "&after=\($0)" } ?? ""))
    }

    private struct NewMovement: Encodable {
        struct Metadata: Encodable { let key: String }

        let entitlement: String
        let amount: Int64
        let reason: String
        let metadata: Metadata
    }

    /// `POST /v1/buyers/{buyerId}/spend` or `/credit`; the metadata names the key.
    package func move(
        _ amount: Int64,
        of entitlement: String,
        isSpend: Bool,
        buyer: String,
        key: String
    ) async throws -> HTTPReply {
        let movement = NewMovement(
            entitlement: entitlement,
            amount: amount,
            reason: isSpend ? "sword" : "quest",
            metadata: .init(key: key)
        )
        let path = "/v1/buyers/\(buyer)/\(isSpend ? "spend" : "credit")"
        return try await send(path, try Self.encoder.encode(movement), key: key)
    }

    /// `POST /v1/buyers/{buyerId}/spends/{entryId}/reverse`.
    package func reverse(_ spend: String, of buyer: String, key: String) async throws -> HTTPReply {
        try await send("/v1/buyers/\(buyer)/spends/\(spend)/reverse", Data(), key: key)
    }

    /// `GET` of any path.
    package func get(
        _ path: String,
        headers: [(String, String)] = [],
        wait: Int = 0
    ) async throws -> HTTPReply {
        let limit = timeout + .milliseconds(Int64(wait))
        return try await connections.send(.GET, path, headers: authorization + headers, within: limit)
    }

    /// `POST` of any JSON, with an `Idempotency-Key` where there is one.
    package func post(_ path: String, json body: String, key: String? = nil) async throws -> HTTPReply {
        try await send(path, Data(body.utf8), key: key)
    }

    /// `PUT` of any JSON.
    package func put(_ path: String, json body: String) async throws -> HTTPReply {
        try await send(path, Data(body.utf8), by: .PUT)
    }

    /// `PUT /v1/buyers/{buyerId}/consent`.
    package func consent(_ buyer: String, consumption: Bool) async throws -> HTTPReply {
        try await put("/v1/buyers/\(buyer)/consent", json: #"{"consumption":\#(consumption)}"#)
    }

    /// `POST /v1/buyers/{buyerId}/spend`.
    package func spend(_ buyer: String, _ amount: Int, key: String) async throws -> HTTPReply {
        let body = #"{"entitlement":"coins","amount":\#(amount)}"#
        return try await post("/v1/buyers/\(buyer)/spend", json: body, key: key)
    }

    /// The key of the app, or the token of a buyer's phone.
    private func authorization(of buyer: String?) -> [(String, String)] {
        guard let buyer, let phoneKey else { return authorization }
        let known = phoneTokens.withLockedValue { $0[buyer] }
        let hours = 12.0
        let token =
            known
            ?? SignedPhoneToken(
                of: BuyerID(unchecked: buyer),
                in: BundleID(unchecked: bundleID),
                until: Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 + hours * 3_600) * 1_000)),
                by: phoneKey
            )?.text
        guard let token else { return authorization }
        if known == nil { phoneTokens.withLockedValue { $0[buyer] = token } }
        return [("Authorization", "Bearer \(token)")]
    }

    private func send(
        _ path: String,
        _ body: Data,
        of buyer: String? = nil,
        by method: HTTPMethod = .POST,
        key: String? = nil,
        headers: [(String, String)] = [],
        wait: Int = 0
    ) async throws -> HTTPReply {
        let keys = key.map { [("Idempotency-Key", $0)] } ?? []
        return try await connections.send(
            method,
            path,
            headers: authorization(of: buyer) + keys + headers,
            body: ByteBuffer(bytes: body),
            within: timeout + .milliseconds(Int64(wait))
        )
    }

    /// Repeats a request until it is answered with a 2xx, as an app does.
    ///
    /// - Throws: `HarnessFault` for a 4xx, or when there was no 2xx in time.
    package func retry(
        _ what: String,
        within limit: Duration = .seconds(90),
        _ request: () async throws -> HTTPReply
    ) async throws -> HTTPReply {
        var last = "no answer"
        return try await eventually("\(what) is answered", within: limit, detail: { last }) {
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
package struct OrderAnswer: Decodable, Sendable {
    package let orderId: UUID
    package let appAccountToken: String
    package let state: String

    /// The order's id as the gateway writes it.
    package var id: String { orderId.uuidString.lowercased() }
}

/// What the tests read of a verdict.
package struct VerdictAnswer: Decodable, Sendable {
    /// The verdict on one transaction of a proof.
    package struct Transaction: Decodable, Sendable {
        package let transactionId: String
        package let originalTransactionId: String
        package let orderId: String?
        package let verdict: String
        package let grantedAt: Int64?
    }

    package let receiptId: String
    package let verdict: String
    package let finish: Bool
    package var reason: String?
    package var transactions: [Transaction] = []

    package var isGranted: Bool { verdict == "granted" }
}

/// A page of a ledger.
package struct LedgerAnswer: Decodable, Sendable {
    /// What the tests read of one entry.
    package struct Entry: Decodable, Sendable {
        package let entryId: String
        package let kind: String
        package let entitlement: String
        package let amount: Int64
        package let transactionId: String
        package let orderId: UUID
        package let reference: String?
        /// Milliseconds since 1970.
        package let time: Int64

        /// The order's id as the gateway writes it.
        package var order: String { orderId.uuidString.lowercased() }
    }

    package let entries: [Entry]
    /// The last entry of this page, where another one follows.
    package let next: String?
}

/// What the tests read of a buyer's holdings.
package struct HoldingsAnswer: Decodable, Sendable {
    package let balances: [String: Int]
}
