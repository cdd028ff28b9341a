import AppStore
import Contracts
import Testing

@Suite struct `the client of verifyReceipt` {
    let hand = HandClock()
    let request = VerifyReceiptRequest(receipt: "cmVjZWlwdA==", secret: "shared")

    private func client(_ apple: ScriptedApple) -> VerifyReceiptClient {
        VerifyReceiptClient(addresses: .test, transport: apple, clock: hand.clock)
    }

    /// What is found when Apple gives one reply.
    private func finding(
        of reply: ScriptedApple.Reply,
        after attempts: VerifyReceiptAttempts = VerifyReceiptAttempts()
    ) async -> VerifyReceiptResult {
        await client(ScriptedApple([reply])).verify(request, after: attempts)
    }

    @Test func `sends receipt and secret to production`() async throws {
        let apple = ScriptedApple([.verdict(0)])
        let finding = await client(apple).verify(
            VerifyReceiptRequest(receipt: "a/b+c==", secret: "shared")
        )
        #expect(finding.outcome == .valid)
        #expect(finding.server == .production)
        #expect(finding.retryAt == nil)
        let call = try #require(apple.calls.first)
        #expect(call.method == .post)
        #expect(call.url == "https://production.test")
        #expect(call.token == nil)
        let body = String(decoding: call.body ?? [], as: UTF8.self)
        #expect(body == #"{"password":"shared","receipt-data":"a/b+c=="}"#)
    }

    @Test func `sends no secret where there is none`() async throws {
        let apple = ScriptedApple([.verdict(0)])
        _ = await client(apple).verify(VerifyReceiptRequest(receipt: "YQ=="))
        let body = apple.calls.first?.body.map { String(decoding: $0, as: UTF8.self) }
        #expect(body == #"{"receipt-data":"YQ=="}"#)
    }

    @Test func `asks the sandbox when production says that it is the sandbox's`() async {
        let apple = ScriptedApple([.verdict(21_007), .verdict(0, #""environment":"Sandbox""#)])
        let finding = await client(apple).verify(request)
        #expect(finding.outcome == .valid)
        #expect(finding.server == .sandbox)
        #expect(finding.response?.environment == .sandbox)
        #expect(apple.calls.map(\.url) == ["https://production.test", "https://sandbox.test"])
        #expect(apple.calls[0].body == apple.calls[1].body)
    }

    @Test func `does not go round in circles`() async {
        let apple = ScriptedApple([.verdict(21_007), .verdict(21_008)])
        let finding = await client(apple).verify(request)
        #expect(finding.outcome == .retry(.status(21_008)))
        #expect(apple.calls.count == 2)
    }

    @Test(
        arguments: [
            (.answer(200, "<html><body>Service Unavailable</body></html>"), .noStatus),
            (.answer(200), .noStatus), (.answer(200, "{}"), .noStatus), (.answer(200, "rubbish"), .noStatus),
            (.answer(200, "[]"), .noStatus), (.answer(500), .http(500)), (.answer(502, "<html>"), .http(502)),
            (.answer(503, #"{"status":21002}"#), .http(503)), (.failure(.timedOut), .noResponse(.timedOut)),
            (.failure(.unreachable), .noResponse(.unreachable)),
            (.failure(.tooLarge), .noResponse(.tooLarge)),
            (.verdict(21_005), .status(21_005)), (.verdict(21_100), .status(21_100)),
            (.verdict(12_345), .status(12_345)),
        ] as [(ScriptedApple.Reply, VerifyReceiptOutcome.RetryReason)]
    )
    func `keeps a receipt pending through whatever is not Apple's word on it`(
        reply: ScriptedApple.Reply,
        reason: VerifyReceiptOutcome.RetryReason
    ) async {
        let finding = await finding(of: reply)
        #expect(finding.outcome == .retry(reason))
        #expect(finding.retryAt == hand.now.advanced(by: 500))
    }

    @Test func `waits longer from attempt to attempt, ten seconds at most`() async {
        var waits: [Int64] = []
        for count in 0..<7 {
            let finding = await finding(of: .verdict(21_005), after: .init(count: count))
            waits.append((finding.retryAt?.milliseconds ?? 0) - hand.now.milliseconds)
        }
        #expect(waits == [500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
    }

    @Test func `believes a no after Apple said it five times, and not after an outage`() async {
        let outage = await finding(of: .verdict(21_002), after: .init(count: 100))
        #expect(outage.outcome == .retry(.status(21_002)))
        let refused = await finding(of: .verdict(21_002), after: .init(count: 4, refusals: 4))
        #expect(refused.outcome == .reject(status: 21_002))
        #expect(refused.retryAt == nil)
    }

    @Test(arguments: [(21_004, .wrongSecret), (21_000, .ourFault)] as [(Int, VerifyReceiptOutcome)])
    func `keeps a receipt pending while an operator must mend something`(
        status: Int,
        outcome: VerifyReceiptOutcome
    ) async {
        let finding = await finding(of: .verdict(status))
        #expect(finding.outcome == outcome)
        #expect(finding.retryAt == hand.now.advanced(by: 60_000))
    }

    @Test func `parks a receipt that Apple wants to see no more`() async {
        let finding = await finding(of: .verdict(21_123, #""is-retryable":"false""#))
        #expect(finding.outcome == .park(status: 21_123))
        #expect(finding.retryAt == nil)
    }

    @Test func `does not send what Apple never reads`() async {
        let apple = ScriptedApple([.verdict(0)])
        let large = VerifyReceiptRequest(receipt: String(repeating: "A", count: 3_145_728))
        #expect(await client(apple).verify(large).outcome == .tooLarge)
        #expect(apple.calls.isEmpty)
        #expect(await finding(of: .answer(413)).outcome == .tooLarge)
    }

    @Test func `makes few calls during an outage, and goes on when it ends`() async {
        let apple = ScriptedApple([], then: .failure(.timedOut))
        let client = client(apple)
        for _ in 1...6_000 {
            let finding = await client.verify(request)
            #expect(finding.retryAt ?? hand.now > hand.now)
            hand.advance(10)
        }
        #expect(apple.calls.count < 25)
        apple.script([.verdict(0)])
        hand.advance(8_000)
        #expect(await client.verify(request).outcome == .valid)
    }

    @Test func `does not take refused receipts for an outage`() async {
        let apple = ScriptedApple([], then: .verdict(21_002))
        let client = client(apple)
        for _ in 1...20 { _ = await client.verify(request) }
        #expect(apple.calls.count == 20)
    }

    @Test func `takes Apple's own word of trouble for one`() async {
        let apple = ScriptedApple([], then: .verdict(21_005))
        let client = client(apple)
        for _ in 1...20 { _ = await client.verify(request) }
        #expect(apple.calls.count == 5)
        #expect(await client.verify(request).outcome == .retry(.circuitOpen))
    }
}
