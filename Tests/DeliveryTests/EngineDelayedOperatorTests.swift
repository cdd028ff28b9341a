import Contracts
import Domain
import Testing

@testable import Delivery

/// What the operator sees of delayed events, and what he may do.
@Suite struct EngineDelayedOperatorTests {
    /// The event ids of `bad` and, behind it, `2`.
    private let ids = ["event-1", "event-2"]
    private let pair: EnginePair

    init() throws { pair = try EnginePair.delaying() }

    private func retry(_ pair: EnginePair) throws {
        try pair.carry(pair.entitlements.engine.retryDelayed(at: pair.clock), from: pair.entitlements)
    }

    @Test func `delayed events are listed in order, with why and until when`() throws {
        let events = try #require(try pair.ask(DelayedEventsListV1(), of: pair.entitlements)).get()
        #expect(events.map(\.eventId) == ids)
        #expect(events.map(\.kind) == [.event, .event])
        #expect(events[0].reason.contains("bad") && events[1].reason.contains("waits behind"))
        #expect(events[0].due ?? pair.clock.now > pair.clock.now)
    }

    @Test func `a released event is tried at once, and the audit keeps who said so`() throws {
        try pair.entitlements.write("DELETE FROM broken")
        try retry(pair)
        #expect(try pair.entitlements.texts().isEmpty, "not due yet")
        let wish = DelayedEventReleaseV1(eventId: ids[0], decidedBy: "ada")
        #expect(try pair.ask(wish, of: pair.entitlements)?.get().eventId == ids[0])
        try retry(pair)
        #expect(try pair.entitlements.texts() == ["bad"])
        #expect(try pair.entitlements.decisions("released", by: "ada") == 1)
    }

    @Test func `an event that waits behind another one of its subject is not released out of turn`() throws {
        let wish = DelayedEventReleaseV1(eventId: ids[1], decidedBy: "ada")
        #expect(try pair.refusal(of: wish, by: pair.entitlements) == .conflict)
        #expect(try pair.entitlements.count("dead_letter_audit") == 0)
    }

    @Test func `an operator's dead letter bears the operator's name, and its subject flows again`() throws {
        let wish = DelayedEventDeadLetterV1(eventId: ids[0], decidedBy: "ada")
        #expect(try pair.ask(wish, of: pair.entitlements)?.get().eventId == ids[0])
        #expect(try pair.entitlements.count("dead_letter", "event_id = '\(ids[0])'") == 1)
        #expect(try pair.entitlements.decisions("added", by: "ada") == 1)
        pair.advance(RetryPolicy.backoff.first)
        try retry(pair)
        #expect(try pair.entitlements.texts() == ["2"])
        #expect(try pair.entitlements.count("delayed_event") == 0)
        #expect(try pair.refusal(of: wish, by: pair.entitlements, id: "again") == .notFound)
    }

    @Test func `many subjects that are due at once are tried in passes, and none is left behind`() throws {
        let pair = try EnginePair()
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('bad')")
        let subjects = 3 * PartitionEngine.delayedSubjects
        for number in 0..<subjects {
            try pair.tell(pair.entitlements, [pair.event(NoteV1(text: "bad"), subject: "s\(number)")])
        }
        try pair.entitlements.write("DELETE FROM broken")
        pair.advance(RetryPolicy.backoff.longest)
        for pass in 1...3 {
            let deadline = try #require(pair.entitlements.engine.nextDeadline(at: pair.clock))
            #expect(deadline <= pair.clock.uptime, "the next pass follows at once")
            try retry(pair)
            #expect(try pair.entitlements.texts().count == pass * PartitionEngine.delayedSubjects)
        }
        #expect(pair.entitlements.engine.state.delayed.isEmpty)
    }
}
