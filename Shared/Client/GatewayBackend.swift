#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The gateway of Counterfoil, asked with tokens that say which buyer is logged in.
///
/// A status never means that a transaction may be finished. A body that it does not understand is an answer without a
/// receipt, and so the proof stays.
public struct GatewayBackend: PurchaseBackend {
    /// The token of a buyer that the studio's login has signed; nil where there is none, as of who is logged out.
    ///
    /// `refused` is the one that the gateway has just answered with 401: get another one. With nil nothing is sent: a
    /// proof is tried again later, and a purchase goes on without an order, as where the gateway is down. It is called
    /// before every request, several at once, and must return: after `timeoutMilliseconds` it counts as nil.
    public typealias Tokens = @Sendable (_ buyer: String, _ refused: String?) async -> String?

    /// How long an answer may take, beyond what the gateway may wait for a verdict, in ms.
    public static let timeoutMilliseconds: Int64 = 15_000

    /// Hears of each call that failed: its path, and the error or what the gateway answered, no token and no proof; set
    /// it before the client is made, which has a copy of this backend.
    public var diagnostics: @Sendable (String) -> Void = { _ in }
    private let bundleID: String
    private let language: String
    private let transport: any HTTPTransport
    private let tokens: Tokens
    var clock: any PurchaseClock = SystemPurchaseClock()

    /// `language` is the phone's, such as `zh-Hans`; texts of `report` come in it.
    public init(bundleID: String, language: String, transport: any HTTPTransport, tokens: @escaping Tokens) {
        (self.bundleID, self.language, self.transport, self.tokens) = (bundleID, language, transport, tokens)
    }

    /// What the catalog sells in this app; nil for every answer but a catalog in a 200.
    public func products(buyer: String) async -> [CatalogProduct]? {
        struct Catalog: Decodable { let products: [CatalogProduct] }
        let answer = await call("/v1/products", buyer: buyer)
        return answer?.status == 200 ? answer?.decoded(Catalog.self)?.products : nil
    }

    /// Makes an order, unless this buyer has an open one of the product: a 4xx refuses, and nothing is paid, but 408,
    /// 429, a 5xx and no answer are `unreachable`; the same key never makes a second one.
    public func order(productID: String, buyer: String, key: String) async -> OrderAnswer {
        struct NewOrder: Encodable { let bundleId, buyerId, productId: String, onlyOne = true }
        let new = NewOrder(bundleId: bundleID, buyerId: buyer, productId: productID)
        guard let answer = await call("/v1/orders", buyer: buyer, new, key: key) else { return .unreachable }
        let problem = answer.decoded(Problem.self)
        switch (answer.status, answer.decoded(Order.self), problem?.order) {
        case (201, let order?, _): return .issued(orderID: order.orderId.lowercased())
        case (409, _, let open?): return .open(orderID: open.orderId.lowercased(), state: open.state)
        case (408, _, _), (429, _, _), (..<400, _, _), (500..., _, _): return .unreachable
        case (let status, _, _): return .refused(code: problem?.code ?? "\(status)", detail: problem?.detail)
        }
    }

    /// Reports what StoreKit said; nil where no text came.
    public func report(orderID: String, buyer: String, _ outcome: PurchaseOutcome) async -> String? {
        struct Reported: Decodable { let message: String }
        let answer = await call("/v1/orders/\(orderID)/report", buyer: buyer, outcome.report)
        return answer?.status == 200 ? answer?.decoded(Reported.self)?.message : nil
    }

    /// Hands a proof in with who made it, or asks about its receipt; status and receipt as they came.
    public func submit(_ submission: Submission) async -> DeliveryAnswer {
        let wait = submission.waitMilliseconds
        let id = submission.receiptID.map { "/" + $0.escaped(by: "%") }
        let body = id == nil ? submission.body(bundleID: bundleID) : nil
        let path = "/v1/receipts\(id ?? "")?wait=\(wait)"
        return await call(path, buyer: submission.caller, body, wait: wait)?.delivery ?? .init(status: nil)
    }

    /// Hands in the steps of an order; what becomes of it changes nothing.
    public func log(orderID: String, buyer: String, _ entries: [StepLog.Entry]) async {
        _ = await call("/v1/orders/\(orderID)/log", buyer: buyer, entries)
    }

    /// The answer to a `POST`, without a body to a `GET`; it takes a second token where the first is refused.
    private func call(
        _ path: String,
        buyer: String,
        _ body: (any Encodable)? = nil,
        key: String? = nil,
        wait: Int64 = 0
    ) async -> HTTPTransportAnswer? {
        do {
            var request = HTTPTransportRequest(
                method: body == nil ? "GET" : "POST",
                path: path,
                headers: ["Accept-Language": language],
                body: try body.map { try JSONEncoder().encode($0) },
                timeoutMilliseconds: Self.timeoutMilliseconds + wait
            )
            if body != nil { request.headers["Content-Type"] = "application/json" }
            if let key { request.headers["Idempotency-Key"] = key }
            guard let token = await token(of: buyer, for: path) else { return nil }
            request.headers["Authorization"] = "Bearer \(token)"
            var answer = try await transport.send(request)
            if answer.status == 401, let new = await self.token(of: buyer, token, for: path), new != token {
                request.headers["Authorization"] = "Bearer \(new)"
                answer = try await transport.send(request)
            }
            let text = String(decoding: answer.body, as: UTF8.self)
            if answer.status >= 400 { diagnostics("\(path): \(answer.status) \(text)") }
            return answer
        } catch {
            diagnostics("\(path): \(error)")
            return nil
        }
    }

    /// The login's token, or nil after the time limit: a login that never answers must not keep a proof back.
    private func token(of buyer: String, _ old: String? = nil, for path: String) async -> String? {
        let (answers, answer) = AsyncStream<String?>.makeStream()
        let asking = Task { [tokens] in _ = answer.yield(await tokens(buyer, old)) }
        let limit = Task { [clock] in
            await clock.pause(milliseconds: Self.timeoutMilliseconds)
            answer.finish()
        }
        defer { for task in [asking, limit] { task.cancel() } }
        for await token in answers { return token }
        diagnostics("\(path): `tokens` has not returned within \(Self.timeoutMilliseconds) ms")
        return nil
    }
}

/// An order, as far as a phone looks at it.
private struct Order: Decodable { let orderId, state: String }
/// `application/problem+json`; a receipt may have a `detail`, too.
private struct Problem: Decodable { let code, detail: String?, order: Order? }

extension PurchaseOutcome: LocalizedError {
    /// For support and logs, such as `CounterfoilClient not-started`; it is no text for a buyer.
    public var errorDescription: String? {
        if case .failed(let domain, let code) = self { "\(domain) \(code)" } else { "\(self)" }
    }

    /// `POST /v1/orders/{orderId}/report`.
    fileprivate var report: [String: String] {
        switch self {
        case .deferred, .cancelled: ["outcome": "\(self)"]
        case .failed(let domain, let code):
            ["outcome": "failed", "errorDomain": domain, "errorCode": code].filter { !$0.value.isEmpty }
                .mapValues { String($0.prefix(StepLog.maximumTextLength)) }
        }
    }
}

extension Submission {
    /// `POST /v1/receipts`.
    fileprivate func body(bundleID: String) -> [String: String] {
        var body = ["bundleId": bundleID, "buyerId": caller]
        body["purchasedBy"] = purchasedBy
        body["orderId"] = proof.orderID
        body["intent"] = proof.isRestore ? "restore" : nil
        switch proof.content {
        case .signedTransaction(let text): body["signedTransaction"] = text
        case .appReceipt(let text): body["appReceipt"] = text
        }
        return body
    }
}

extension HTTPTransportAnswer {
    /// The body, if it is what it should be.
    fileprivate func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        do { return try JSONDecoder().decode(type, from: body) } catch { return nil }
    }

    /// What the answer says about a proof.
    fileprivate var delivery: DeliveryAnswer {
        let receipt = (200...202).contains(status) ? decoded(DeliveryAnswer.Receipt.self) : nil
        let (pause, problem) = (retryAfter.flatMap(Self.milliseconds), decoded(Problem.self))
        var answer = DeliveryAnswer(status: status, receipt: receipt, retryAfter: pause, code: problem?.code)
        answer.detail = problem?.detail
        return answer
    }

    /// `Retry-After` in ms, where it is in seconds, as the gateway writes it; a date leaves the pause to `Backoff`,
    /// because the phone's clock may be wrong.
    private static func milliseconds(_ text: String) -> Int64? {
        guard text.allSatisfy({ ("0"..."9").contains($0) }), let seconds = Double(text) else { return nil }
        return Int64(min(seconds, Double(Int32.max))) * 1_000
    }
}
