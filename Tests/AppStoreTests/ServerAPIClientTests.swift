import AppStore
import Contracts
import Testing

@Suite struct `the client of the App Store Server API` {
    let hand = HandClock()
    let request = GetTransactionInfo(TransactionID(unchecked: "1000000000000001"))
    let found = ScriptedApple.Reply.answer(200, #"{"signedTransactionInfo":"jws"}"#)

    private func client(
        _ apple: ScriptedApple,
        callsPerSecond: [Endpoint: Double] = [:]
    ) throws -> AppStoreServerClient {
        try AppStoreServerClient(
            key: .sample(),
            addresses: .test,
            transport: apple,
            clock: hand.clock,
            callsPerSecond: callsPerSecond
        )
    }

    /// How long so many calls take, in ms, which all find what they ask for.
    private func duration(of calls: Int, _ client: AppStoreServerClient) async -> Int64 {
        let begin = hand.now.milliseconds
        for _ in 0..<calls { #expect(await failure(client) == nil) }
        return hand.now.milliseconds - begin
    }

    /// The error with which a call to production fails; nil when it does not.
    private func failure(_ client: AppStoreServerClient) async -> AppStoreServerError? {
        do throws(AppStoreServerError) {
            _ = try await client.send(request, to: .production)
            return nil
        } catch {
            return error
        }
    }

    @Test func `asks with method, address and token, and reads the answer`() async throws {
        let apple = ScriptedApple([found])
        let answer = try await client(apple).send(request, to: .sandbox)
        #expect(answer.signedTransactionInfo == "jws")
        let call = try #require(apple.calls.first)
        #expect(apple.calls.count == 1)
        #expect(call.method == .get)
        #expect(call.url == "https://sandbox.test/inApps/v1/transactions/1000000000000001")
        #expect(call.token?.split(separator: ".").count == 3)
        #expect(call.body == nil)
        #expect(call.responseLimit == 4 << 20)
        #expect(call.timeout == 15_000)
    }

    @Test func `sends a body where there is one`() async throws {
        let apple = ScriptedApple([.answer(200, #"{"hasMore":false,"notificationHistory":[]}"#)])
        let span = GetNotificationHistory(from: .newYear2026, to: .newYear2026)
        _ = try await client(apple).send(span, to: .production)
        #expect(apple.calls.first?.method == .post)
        #expect(apple.calls.first?.body == (try span.body()))
    }

    @Test(arguments: [
        ScriptedApple.Reply.failure(.timedOut), .failure(.unreachable), .failure(.tooLarge), .answer(500),
        .answer(502, "<html>"),
        .answer(503, "Service Unavailable"), .answer(200), .answer(200, "<html></html>"),
        .error(4_040_002),
        .error(4_040_004), .error(4_040_006), .error(5_000_000), .error(5_000_001), .answer(301),
    ])
    func `asks again after what is no answer of Apple's`(trouble: ScriptedApple.Reply) async throws {
        let apple = ScriptedApple([trouble, trouble, found])
        let answer = try await client(apple).send(request, to: .production)
        #expect(answer.signedTransactionInfo == "jws")
        #expect(apple.calls.count == 3)
        #expect(hand.pauses == [100, 200])
    }

    @Test func `gives up after three calls, and says when to come back`() async throws {
        let apple = ScriptedApple([.failure(.timedOut), .failure(.timedOut), .answer(503)])
        let error = await failure(try client(apple))
        #expect(error == .unavailable(until: hand.now.advanced(by: 400), .status(503)))
        #expect(apple.calls.count == 3)
    }

    @Test(
        arguments: [
            (.error(4_000_006), .rejected(ServerAPIErrorCode(rawValue: 4_000_006))),
            (.error(4_040_010), .notFound(.transactionIdNotFound)),
            (.answer(401, "Unauthenticated"), .unauthorized),
            (.answer(200, "{}"), .malformedResponse("the field signedTransactionInfo is missing")),
        ] as [(ScriptedApple.Reply, AppStoreServerError)]
    )
    func `asks no second time where that is in vain`(
        reply: ScriptedApple.Reply,
        expected: AppStoreServerError
    ) async throws {
        let apple = ScriptedApple([reply, found])
        #expect(await failure(try client(apple)) == expected)
        #expect(apple.calls.count == 1)
        #expect(hand.pauses.isEmpty)
    }

    @Test func `uses one token for many calls, and another after a refusal`() async throws {
        let apple = ScriptedApple([found, found, .answer(401), found])
        let client = try client(apple)
        for _ in 1...4 { _ = await failure(client) }
        let tokens = apple.calls.map(\.token)
        #expect(tokens[0] == tokens[1])
        #expect(tokens[1] == tokens[2])
        #expect(tokens[2] != tokens[3])
    }

    @Test func `leaves an endpoint alone for as long as Apple asks, and only that one`() async throws {
        let until = hand.now.advanced(by: 90_000)
        let apple = ScriptedApple([.answer(429, "", retryAfter: "\(until.milliseconds)"), found, found])
        let client = try client(apple)
        #expect(await failure(client) == .rateLimited(until: until))
        #expect(await failure(client) == .rateLimited(until: until))
        #expect(apple.calls.count == 1)
        _ = try await client.send(GetTransactionInfo(request.transactionId), to: .sandbox)
        #expect(apple.calls.count == 2)
        hand.advance(90_000)
        #expect(await failure(client) == nil)
    }

    @Test func `stays below Apple's limit however fast it is asked`() async throws {
        let client = try client(ScriptedApple([], then: found))
        // 47 at once, the rest at 47.5 a second.
        #expect(await (18_900...19_100).contains(duration(of: 950, client)))
    }

    @Test func `takes another limit where one is configured`() async throws {
        let client = try client(ScriptedApple([], then: found), callsPerSecond: [.transactionInfo: 100])
        #expect(await (8_900...9_100).contains(duration(of: 950, client)))
    }

    @Test func `asks production first, and the sandbox where production does not know the id`() async throws {
        let apple = ScriptedApple([.error(4_040_010), found])
        let (answer, server) = try await client(apple).find(request)
        #expect(answer.signedTransactionInfo == "jws")
        #expect(server == .sandbox)
        let hosts = apple.calls.map { String($0.url.prefix(23)) }
        #expect(hosts == ["https://production.test", "https://sandbox.test/in"])
    }

    @Test func `believes that nobody knows an id when both servers say so`() async throws {
        let apple = ScriptedApple([.error(4_040_010), .error(4_040_010)])
        await #expect(throws: AppStoreServerError.notFound(.transactionIdNotFound)) {
            try await client(apple).find(request)
        }
        #expect(apple.calls.count == 2)
    }

    @Test(arguments: [
        ScriptedApple.Reply.answer(503), .error(4_000_006), .error(4_040_001), .answer(404, "<html>"),
        .answer(429), .answer(200, "<html>"),
    ])
    func `does not ask the sandbox where production said anything else`(
        reply: ScriptedApple.Reply
    ) async throws {
        let apple = ScriptedApple([], then: reply)
        await #expect(throws: AppStoreServerError.self) { try await client(apple).find(request) }
        #expect(apple.calls.allSatisfy { $0.url.hasPrefix("https://production.test") })
    }

    @Test func `asks the sandbox where production takes no key, as of an app that was never released`()
        async throws
    {
        let apple = ScriptedApple([.answer(401), .answer(200, #"{"signedTransactionInfo":"a.b.c"}"#)])
        #expect(try await client(apple).find(request).server == .sandbox)

        // Nothing is known then but that the key is not taken.
        let neither = ScriptedApple([.answer(401), .error(4_040_010)])
        await #expect(throws: AppStoreServerError.unauthorized) { try await client(neither).find(request) }
    }

    @Test func `asks only the servers that an app has`() async throws {
        let apple = ScriptedApple([.error(4_040_010)])
        await #expect(throws: AppStoreServerError.notFound(.transactionIdNotFound)) {
            try await client(apple).find(request, on: [.sandbox])
        }
        #expect(apple.calls.map(\.url) == ["https://sandbox.test/inApps/v1/transactions/1000000000000001"])
    }

    @Test func `makes few calls during an outage, and fails at once in between`() async throws {
        let apple = ScriptedApple([], then: .failure(.timedOut))
        let client = try client(apple)
        var waits: [Int64] = []
        for _ in 1...6_000 {
            guard case .unavailable(let until, _) = await failure(client) else {
                Issue.record("an outage was taken for something else")
                return
            }
            waits.append(until.milliseconds - hand.now.milliseconds)
            hand.advance(10)
        }
        #expect(apple.calls.count < 25)
        #expect(waits.allSatisfy { $0 >= 0 && $0 <= 8_000 })
        apple.script(Array(repeating: found, count: 10))
        hand.advance(8_000)
        #expect(await failure(client) == nil)
        #expect(await failure(client) == nil)
    }

    @Test func `keeps an outage of the sandbox away from production`() async throws {
        let apple = ScriptedApple([], then: .answer(503))
        let client = try client(apple)
        for _ in 1...3 {
            await #expect(throws: AppStoreServerError.self) { try await client.send(request, to: .sandbox) }
        }
        apple.script([found])
        #expect(await failure(client) == nil)
    }

    @Test func `does not take refusals for an outage`() async throws {
        let apple = ScriptedApple([], then: .error(4_040_010))
        let client = try client(apple)
        for _ in 1...20 { #expect(await failure(client) == .notFound(.transactionIdNotFound)) }
        #expect(apple.calls.count == 20)
    }

    @Test(arguments: [(4_040_002, 30), (5_000_001, 5)] as [(Int64, Int)])
    func `takes a code to ask again for an outage only where it says that Apple has failed`(
        code: Int64,
        calls: Int
    ) async throws {
        let apple = ScriptedApple([], then: .error(code))
        let client = try client(apple)
        for _ in 1...10 {
            let begin = hand.now
            guard case .unavailable = await failure(client) else {
                Issue.record("not to be asked again")
                return
            }
            hand.advance(begin.milliseconds - hand.now.milliseconds)
        }
        #expect(apple.calls.count == calls)
    }

    @Test func `ends with the task that asked, and gives its place back`() async throws {
        let apple = ScriptedApple([.failure(.cancelled)], then: found)
        let client = try client(apple)
        #expect(await failure(client) == .cancelled)
        for _ in 1...200 { #expect(await failure(client) == nil) }
    }
}
