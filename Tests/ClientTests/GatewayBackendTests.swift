import Foundation
import Testing

@testable import CounterfoilClient

/// What goes to the gateway, and how its answers are read.
@Suite struct `The gateway as a backend` {
    /// Answers in turn, and remembers what it was asked.
    actor Transport: HTTPTransport {
        struct Down: Error {}

        private(set) var requests: [HTTPTransportRequest] = []
        private var answers: [HTTPTransportAnswer?]

        init(_ answers: [HTTPTransportAnswer?]) { self.answers = answers }

        func send(_ request: HTTPTransportRequest) throws -> HTTPTransportAnswer {
            requests.append(request)
            guard !answers.isEmpty, let answer = answers.removeFirst() else { throw Down() }
            return answer
        }
    }

    private static func answer(
        _ status: Int,
        _ body: String,
        retryAfter: String? = nil
    ) -> HTTPTransportAnswer {
        HTTPTransportAnswer(
            status: status,
            retryAfter: retryAfter,
            body: Data(body.utf8)
        )
    }

    private static func backend(_ transport: Transport) -> GatewayBackend {
        GatewayBackend(bundleID: "com.example.game", language: "zh-Hans", transport: transport) {
            buyer,
            refused in
            refused == nil ? "token-of-\(buyer)" : "fresh-token"
        }
    }

    private static func body(_ request: HTTPTransportRequest?) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: try #require(request?.body))
    }

    @Test func `A proof goes up with the caller's token, and says who made it`() async throws {
        let granted = #"{"receiptId":"r1","verdict":"granted","finish":true,"transactions":[]}"#
        let transport = Transport([Self.answer(200, granted)])
        var proof = Proof.sample(buyer: "ada", orderID: "order-1")
        proof.isRestore = true
        let submission = Submission(proof: proof, caller: "bob", receiptID: nil, waitMilliseconds: 5_000)
        let answer = await Self.backend(transport).submit(submission)
        #expect(answer == .verdict("granted", finish: true))
        let request = await transport.requests.first
        #expect(request?.method == "POST" && request?.path == "/v1/receipts?wait=5000")
        #expect(request?.headers["Authorization"] == "Bearer token-of-bob")
        #expect(
            try Self.body(request) == [
                "bundleId": "com.example.game", "buyerId": "bob", "purchasedBy": "ada", "orderId": "order-1",
                "signedTransaction": "a.b.c", "intent": "restore",
            ]
        )
    }

    @Test func `One's own proof names nobody else, and a receipt is asked about by its id`() async throws {
        let transport = Transport([nil, Self.answer(202, "{}")])
        let backend = Self.backend(transport)
        let own = Submission(proof: .sample(), caller: "ada", receiptID: nil)
        #expect(await backend.submit(own) == .lost)
        #expect(try Self.body(await transport.requests.first)["purchasedBy"] == nil)
        _ = await backend.submit(
            Submission(proof: .sample(), caller: "ada", receiptID: "r/1", waitMilliseconds: 20_000)
        )
        #expect(await transport.requests.last?.path == "/v1/receipts/r%2F1?wait=20000")
        #expect(await transport.requests.last?.method == "GET")
    }

    @Test(arguments: [
        "", "[]", #"{"finish":true}"#, #"{"receiptId":"r1","verdict":"granted","finish":"true"}"#,
        #"{"receiptId":"r1","verdict":"granted","finish":1}"#, "<html>",
    ])
    func `A body that is not understood is no receipt, and says so`(body: String) async {
        let transport = Transport([Self.answer(200, body)])
        let submission = Submission(proof: .sample(), caller: "ada", receiptID: nil)
        let answer = await Self.backend(transport).submit(submission)
        #expect(!answer.mayFinish)
        #expect(answer.problem == "answer-not-understood")
    }

    @Test(
        arguments: [
            ("7", 7_000), ("0", 0), ("-5", nil), ("soon", nil), ("", nil), (nil, nil),
            ("99999999999999999999999", 2_147_483_647_000), ("Sun, 06 Nov 1994 08:49:37 GMT", nil),
        ] as [(String?, Int64?)]
    )
    func `Retry-After is read in seconds`(text: String?, milliseconds: Int64?) async {
        let transport = Transport([Self.answer(503, #"{"code":"unavailable"}"#, retryAfter: text)])
        let submission = Submission(proof: .sample(), caller: "ada", receiptID: nil)
        let answer = await Self.backend(transport).submit(submission)
        #expect(answer.retryAfterMilliseconds == milliseconds)
        #expect(answer.code == "unavailable" && answer.problem == nil)
    }

    static let details: [(Int, String, String?)] = [
        (403, #"{"code":"forbidden","detail":"The key is another app's."}"#, "The key is another app's."),
        (
            200, #"{"receiptId":"r1","verdict":"invalid","finish":false,"detail":"It is encoded twice."}"#,
            "It is encoded twice."
        ), (403, #"{"code":"forbidden"}"#, nil), (200, "<html>", nil),
    ]

    @Test(arguments: details)
    func `Why a proof was refused is told with it`(status: Int, body: String, detail: String?) async {
        let transport = Transport([Self.answer(status, body)])
        let submission = Submission(proof: .sample(), caller: "ada", receiptID: nil)
        #expect(await Self.backend(transport).submit(submission).detail == detail)
    }

    @Test func `A refused token is asked for once more`() async {
        let transport = Transport([
            Self.answer(401, "{}"), Self.answer(200, #"{"message":"Payment did not succeed."}"#),
        ])
        let text = await Self.backend(transport).report(orderID: "order-1", buyer: "ada", .cancelled)
        #expect(text == "Payment did not succeed.")
        let requests = await transport.requests
        #expect(
            requests.map { $0.headers["Authorization"] } == ["Bearer token-of-ada", "Bearer fresh-token"]
        )
        #expect(requests.first?.headers["Accept-Language"] == "zh-Hans")
    }

    @Test func `Whoever looks for the cause hears what was refused and what failed, and no token`() async {
        let problem = #"{"code":"forbidden","detail":"The key is another app's."}"#
        let transport = Transport([Self.answer(403, problem), nil, Self.answer(200, #"{"message":"x"}"#)])
        let (lines, heard) = AsyncStream<String>.makeStream()
        var backend = Self.backend(transport)
        backend.diagnostics = { heard.yield($0) }
        for _ in 0..<3 { _ = await backend.report(orderID: "o", buyer: "ada", .cancelled) }
        heard.finish()
        var all: [String] = []
        for await line in lines { all.append(line) }
        #expect(all == ["/v1/orders/o/report: 403 \(problem)", "/v1/orders/o/report: Down()"])
    }

    @Test(
        arguments: [
            (.failed(domain: "CounterfoilClient", code: "not-started"), "CounterfoilClient not-started"),
            (.cancelled, "cancelled"),
        ] as [(PurchaseOutcome, String)]
    )
    func `An outcome as an error says its code`(outcome: PurchaseOutcome, text: String) {
        #expect((outcome as any Error).localizedDescription == text)
    }

    static let orders: [(Int, String, OrderAnswer)] = [
        (201, #"{"orderId":"ABC","state":"issued"}"#, .issued(orderID: "abc")),
        (
            409, #"{"code":"openOrder","order":{"orderId":"ABC","state":"deferred"}}"#,
            .open(orderID: "abc", state: "deferred")
        ),
        (409, #"{"code":"limitReached"}"#, .refused(code: "limitReached")),
        (422, #"{"code":"notOnSale"}"#, .refused(code: "notOnSale")),
        (
            422, #"{"code":"invalid","detail":"The catalog has no coins."}"#,
            .refused(code: "invalid", detail: "The catalog has no coins.")
        ),
        (403, "", .refused(code: "403")), (429, "{}", .unreachable), (503, "{}", .unreachable),
        (201, "{}", .unreachable),
    ]

    @Test(arguments: orders)
    func `An order is issued, open, refused or out of reach`(
        status: Int,
        body: String,
        expected: OrderAnswer
    ) async {
        let transport = Transport([Self.answer(status, body)])
        let answer = await Self.backend(transport).order(productID: "coins", buyer: "ada", key: "k1")
        #expect(answer == expected)
        let request = await transport.requests.first
        #expect(request?.headers["Idempotency-Key"] == "k1")
    }

    @Test func `A failure is reported with its error, and an empty text is left out`() async throws {
        let transport = Transport([nil])
        let outcome = PurchaseOutcome.failed(domain: "", code: "2")
        _ = await Self.backend(transport).report(orderID: "order-1", buyer: "ada", outcome)
        #expect(try Self.body(await transport.requests.first) == ["outcome": "failed", "errorCode": "2"])
    }

    @Test func `Products that are off the market, or without a price, are not offered`() async throws {
        let catalog = """
            {"version":"1","products":[
              {"productId":"coins","type":"consumable","grants":[],"titles":{"en":"Coins"}},
              {"productId":"old","type":"consumable","grants":[],"retired":{"replacement":"coins"}},
              {"productId":"soon","type":"consumable","grants":[],"onSaleFrom":2000},
              {"productId":"unknown","type":"consumable","grants":[]}]}
            """
        let transport = Transport([Self.answer(200, catalog)])
        let products = try #require(await Self.backend(transport).products(buyer: "ada"))
        let prices = ["coins", "old", "soon"].map {
            StorePrice(productID: $0, displayName: $0, displayPrice: "1 €")
        }
        #expect(PurchasableProduct.join(products, prices, now: 1_000).map(\.id) == ["coins"])
        #expect(PurchasableProduct.join(products, prices, now: 2_000).map(\.id) == ["coins", "soon"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `A login that never answers has no token, and diagnostics hears of it`() async {
        let transport = Transport([Self.answer(200, "{}")])
        let (said, say) = AsyncStream<String>.makeStream()
        let tokens: GatewayBackend.Tokens = { _, _ in
            // It does not look whether it is cancelled.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
                // Nothing resumes it.
            }
            return "late"
        }
        let name = "com.example.game"
        var backend = GatewayBackend(bundleID: name, language: "en", transport: transport, tokens: tokens)
        backend.clock = FakeClock()
        backend.diagnostics = { say.yield($0) }
        let submission = Submission(proof: .sample(), caller: "ada", receiptID: nil)
        #expect(await backend.submit(submission) == .lost)
        #expect(await transport.requests.isEmpty)
        var texts = said.makeAsyncIterator()
        #expect(await texts.next() == "/v1/receipts?wait=0: `tokens` has not returned within 15000 ms")
    }

    @Test func `Steps go to the order's log`() async throws {
        let transport = Transport([nil])
        let entry = StepLog.Entry(at: 5, step: .failed, code: "2", domain: "SKErrorDomain")
        await Self.backend(transport).log(orderID: "order-1", buyer: "ada", [entry])
        let request = try #require(await transport.requests.first)
        #expect(request.path == "/v1/orders/order-1/log")
        let sent = try JSONDecoder().decode([StepLog.Entry].self, from: try #require(request.body))
        #expect(sent == [entry])
    }
}
