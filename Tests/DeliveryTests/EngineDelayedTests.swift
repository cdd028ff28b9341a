import Contracts
import Domain
import Testing

@testable import Delivery

@Suite struct EngineDelayedTests {
    private let pair: EnginePair

    /// A pair whose receiver cannot bear the note `bad`.
    init() throws {
        pair = try EnginePair()
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('bad')")
    }

    @Test func `an event whose handler throws is delayed, and the rest of its batch takes effect`() throws {
        let ada = try pair.send(["1", "bad", "2"], subject: "ada")
        let bob = try pair.send(["3"], subject: "bob")
        try pair.carry(ada, from: pair.orders)
        try pair.carry(bob, from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "3"])
        let delayed = try pair.entitlements.count("delayed_event")
        #expect(delayed == 2, "the bad one, and the one that queues behind it")
        #expect(pair.orders.engine.state.depth == 0, "the link has moved on")
    }

    @Test func `a delayed event is tried again with growing pauses, and its subject follows in order`() throws
    {
        try pair.carry(pair.send(["bad", "2", "3"]), from: pair.orders)
        try pair.carry(pair.send(["4"]), from: pair.orders)
        var pauses: [Int64] = []
        for _ in 0..<5 {
            let before = pair.clock.now
            try pair.retry(pair.entitlements)
            pauses.append(pair.clock.now.milliseconds - before.milliseconds)
        }
        #expect(pauses[4] > pauses[0] * 4)
        #expect(try pair.entitlements.texts().isEmpty)
        #expect(try pair.entitlements.count("delayed_event", "attempts = 5") == 1)
        try pair.entitlements.write("DELETE FROM broken")
        try pair.retry(pair.entitlements)
        for _ in 0..<3 { try pair.retry(pair.entitlements) }
        #expect(try pair.entitlements.texts() == ["bad", "2", "3", "4"])
        #expect(try pair.entitlements.count("delayed_event") == 0)
        #expect(pair.entitlements.engine.state.delayed.isEmpty)
    }

    @Test func `before it is due a delayed event rests`() throws {
        try pair.carry(pair.send(["bad"]), from: pair.orders)
        let commits = pair.entitlements.store.commits
        _ = try pair.entitlements.engine.retryDelayed(at: pair.clock)
        #expect(pair.entitlements.store.commits == commits)
        #expect(try pair.entitlements.count("delayed_event", "attempts = 0") == 1)
        let deadline = try #require(pair.entitlements.engine.nextDeadline(at: pair.clock))
        #expect(deadline > pair.clock.uptime)
        #expect(deadline <= pair.clock.uptime + RetryPolicy.backoff.first)
    }

    @Test func `after the last attempt the event is a dead letter, and its subject flows again`() throws {
        try pair.carry(pair.send(["bad", "2"]), from: pair.orders)
        for _ in 0..<RetryPolicy.attempts { try pair.retry(pair.entitlements) }
        #expect(try pair.entitlements.count("dead_letter", "unknown_type = 0") == 1)
        #expect(try pair.entitlements.texts().isEmpty)
        try pair.retry(pair.entitlements)
        #expect(try pair.entitlements.texts() == ["2"])
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["2", "3"])
        #expect(pair.alarms.contains { $0.hasPrefix("dead letter") })
    }

    @Test func `why a handler failed at first stays with the event, and with its dead letter`() throws {
        try pair.carry(pair.send(["bad", "2"]), from: pair.orders)
        func delayed() throws -> [DelayedEvent] {
            try #require(try pair.ask(DelayedEventsListV1(), of: pair.entitlements)).get()
        }
        let first = try delayed()
        #expect(first[0].firstReason == first[0].reason && first[1].firstReason == nil)
        try pair.entitlements.write("UPDATE delayed_event SET first_reason = 'it was full' WHERE number = 1")
        try pair.retry(pair.entitlements)
        let second = try delayed()[0]
        #expect(second.firstReason == "it was full" && second.reason.contains("bad") && second.attempts == 1)
        for _ in 1..<RetryPolicy.attempts { try pair.retry(pair.entitlements) }
        let letter = try #require(try pair.ask(DeadLettersListV1(), of: pair.entitlements)).get()[0]
        #expect(letter.firstReason == "it was full" && letter.reason.contains("bad"))
        #expect(letter.attempts == RetryPolicy.attempts)
    }

    @Test func `delayed events are found by a new owner`() throws {
        try pair.carry(pair.send(["bad", "2"]), from: pair.orders)
        try pair.takeOver(pair.entitlements)
        try pair.reconnect()
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts().isEmpty, "the third queues behind the first")
        try pair.entitlements.write("DELETE FROM broken")
        for _ in 0..<3 { try pair.retry(pair.entitlements) }
        #expect(try pair.entitlements.texts() == ["bad", "2", "3"])
    }

    @Test func `an event above 64 KiB is not sent: its cause is delayed, and nothing of it leaks`() throws {
        let dear = try pair.event(
            RelayV1(to: .entitlements, texts: ["a", "b"], filler: 66_000),
            subject: "ada"
        )
        let other = try pair.event(RelayV1(to: .entitlements, texts: ["c"]), subject: "bob")
        try pair.tell(pair.orders, [dear, other])
        #expect(try pair.entitlements.texts() == ["c"])
        #expect(try pair.orders.count("delayed_event", "reason LIKE 'tooLarge%'") == 1)
        #expect(try pair.orders.count("outbox") == 1)
        for _ in 0..<RetryPolicy.attempts { try pair.retry(pair.orders) }
        #expect(try pair.orders.count("dead_letter") == 1)
        try pair.carry(pair.send(["d"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["c", "d"])
    }

    @Test func `a request that would send too much is refused as busy and leaves no trace`() throws {
        let say = SayV1(to: .entitlements, texts: ["a"], filler: 66_000)
        #expect(try pair.refusal(of: say, by: pair.orders) == .busy)
        #expect(try pair.orders.count("outbox") == 0)
        #expect(try pair.orders.count("delayed_event") == 0)
    }

    @Test func `a request whose handler fails says so in the log, the first, second, fourth time and so on`()
        throws
    {
        let say = SayV1(to: .entitlements, texts: ["a"], filler: 66_000)
        for time in 1...5 { #expect(try pair.refusal(of: say, by: pair.orders, id: "\(time)") == .busy) }
        #expect(pair.alarms.count { $0.hasPrefix("\(SayV1.type.rawValue) fails: ") } == 3)
    }

    @Test func `a delayed event is not blamed for one who waits and whose handler throws`() throws {
        try pair.carry(pair.send(["bad"]), from: pair.orders)
        #expect(try pair.ask(NotesV1(atLeast: 1), of: pair.entitlements) == nil)
        try pair.entitlements.write("DELETE FROM broken")
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('answer')")
        let due = try #require(pair.entitlements.engine.state.delayed.values.min())
        pair.advance(max(0, due.milliseconds - pair.clock.now.milliseconds))
        let output = try pair.entitlements.engine.retryDelayed(at: pair.clock)
        #expect(try pair.entitlements.texts() == ["bad"])
        #expect(try pair.answer(to: NotesV1(atLeast: 1), in: output)?.get() == Notes(texts: []))
    }

    @Test func `a delayed event that a wrong clock put off is tried as soon as the clock is right`() throws {
        let right = pair.clock.now
        pair.clock.now = right.advanced(by: 30 * 86_400_000)
        try pair.carry(pair.send(["bad"]), from: pair.orders)
        try pair.entitlements.write("DELETE FROM broken")
        pair.clock.now = right.advanced(by: 1_000)
        #expect(pair.entitlements.engine.nextDeadline(at: pair.clock) == pair.clock.uptime)
        _ = try pair.entitlements.engine.retryDelayed(at: pair.clock)
        #expect(try pair.entitlements.texts() == ["bad"])
    }
}
