import AppStore
import Contracts
import NIOConcurrencyHelpers
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: many logins may hand in one receipt, and Apple is asked about it once for all of them.
@Suite struct `a question that many wait for` {
    private static let question = SharedAnswers.Question(
        queue: AppleQueryQueue(bundleID: Sample.app, api: .serverAPI),
        partition: 0,
        identifiers: [TransactionID(unchecked: "5")]
    )
    private static let due = Sample.start
    private static let now = due.advanced(by: 1)

    private let answers: SharedAnswers
    private let calls = NIOLockedValueBox(0)
    private let wall = NIOLockedValueBox(Self.now)
    private let uptime = NIOLockedValueBox<Int64>(0)

    init() {
        let (wall, uptime) = (self.wall, self.uptime)
        answers = SharedAnswers(
            clock: ClientClock(
                now: { wall.withLockedValue { $0 } },
                uptime: { uptime.withLockedValue { $0 } },
                sleep: { _ in },
                random: { 0 }
            )
        )
    }

    private func ask(
        _ question: SharedAnswers.Question = Self.question,
        dueAt: Timestamp = Self.due,
        of result: AppleJobResult = .found()
    ) async -> AppleJobResult {
        await answers.answer(question, dueAt: dueAt) {
            calls.withLockedValue { $0 += 1 }
            await Task.yield()
            return result
        }
    }

    private static func other(_ number: Int) -> SharedAnswers.Question {
        .init(queue: question.queue, partition: 0, identifiers: [TransactionID(unchecked: "\(number)")])
    }

    private var count: Int { calls.withLockedValue { $0 } }

    @Test func `is asked once for all of them`() async {
        await withTaskGroup(of: AppleJobResult.self) { group in
            for _ in 1...40 { group.addTask { await ask() } }
            for await result in group { #expect(result == .found()) }
        }
        #expect(count == 1)
    }

    @Test func `is asked again for who comes later, so that no answer is older than its question`() async {
        _ = await ask()
        for _ in 1...2 { _ = await ask(dueAt: Self.now) }
        #expect(count == 3)
    }

    @Test func `is not answered by the answer to another one`() async {
        _ = await ask()
        let other = SharedAnswers.Question(
            queue: Self.question.queue,
            partition: 1,
            identifiers: Self.question.identifiers
        )
        _ = await ask(other)
        #expect(count == 2)
    }

    @Test func `is asked again where the clock was set back meanwhile`() async {
        _ = await ask()
        wall.withLockedValue { $0 = Self.due.advanced(by: -1_000) }
        _ = await ask(dueAt: Self.due.advanced(by: -2_000))
        #expect(count == 2)
    }

    @Test func `has its answer kept for a minute`() async {
        _ = await ask()
        uptime.withLockedValue { $0 = SharedAnswers.longestKept - 1 }
        _ = await ask()
        #expect(count == 1)
        uptime.withLockedValue { $0 = SharedAnswers.longestKept }
        _ = await ask()
        #expect(count == 2)
    }

    @Test func `has its answer kept among the newest`() async {
        for number in 0...SharedAnswers.mostKept {
            uptime.withLockedValue { $0 += 1 }
            _ = await ask(Self.other(number))
        }
        let asked = count
        for number in 1...SharedAnswers.mostKept { _ = await ask(Self.other(number)) }
        #expect(count == asked)
        _ = await ask(Self.other(0))
        #expect(count == asked + 1)
    }

    @Test func `is answered alike for all that waited, also where Apple fails`() async {
        let failure = AppleJobResult(.unavailable, until: Self.now, problem: "no answer")
        await withTaskGroup(of: AppleJobResult.self) { group in
            for _ in 1...40 { group.addTask { await ask(of: failure) } }
            for await result in group { #expect(result == failure) }
        }
        #expect(count == 1)
        #expect(await ask(dueAt: Self.now) == .found(), "who comes later asks again")
    }

    @Test func `about a receipt that many logins hand in costs one call`() async throws {
        let (group, apple) = try ReceiptsGroup.asking()
        group.proofs.contents["receipt"] = .success([Sample.transaction("5", signed: 1)])
        apple.knows(Sample.transaction("5", token: Sample.token))
        let place = ReceiptsGroup.partition(of: Sample.alice)
        let logins = (1...200).map { BuyerID(unchecked: "login-\($0)") }
            .filter { ReceiptsGroup.partition(of: $0) == place }
        try #require(logins.count > AppleWorker.concurrencyOfQueue)
        for login in logins { _ = try group.submit("receipt", by: login, kind: .appReceipt) }
        group.pass(1, with: apple)
        var news: [TransactionVerifiedV1] = []
        for _ in 0...(logins.count / AppleWorker.concurrencyOfQueue + 1) {
            news += try await group.askApple(place).sent.bodies(TransactionVerifiedV1.self)
        }
        #expect(apple.calls.count { $0.contains("/history/") } == 1)
        #expect(news.count == logins.count, "each has its answer")
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: place).isEmpty)
    }
}
