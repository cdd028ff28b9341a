import Testing

@testable import PostgreSQL

@Suite struct `the pace of searches for a primary` {
    private static let interval = SearchPace.State.intervalMilliseconds

    @Test func `all connections search at once while a primary is found`() {
        var state = SearchPace.State()
        for _ in 0..<3 { #expect(state.begin(at: 1_000) == nil) }
        state.end(nil)
        #expect(state.begin(at: 1_000) == nil)
    }

    @Test func `after a search that found none the next ones begin one after the other`() {
        var state = SearchPace.State()
        #expect(state.begin(at: 1_000) == nil)
        state.end("no primary")
        #expect(state.begin(at: 1_001) == "no primary")
        #expect(state.begin(at: 1_000 + Self.interval) == nil)
        #expect(state.begin(at: 1_000 + Self.interval) == "no primary")
        #expect(state.begin(at: 1_000 + 2 * Self.interval) == nil)
    }

    @Test func `one that finds a primary lets all others search`() {
        var state = SearchPace.State()
        #expect(state.begin(at: 1_000) == nil)
        state.end("no primary")
        #expect(state.begin(at: 1_000 + Self.interval) == nil)
        state.end(nil)
        for _ in 0..<3 { #expect(state.begin(at: 1_001 + Self.interval) == nil) }
    }

    @Test func `who waits beyond its deadline is told why`() throws {
        let pace = SearchPace()
        let pulse = Pulse(interval: 10)
        try pace.wait(pulse, until: Deadline(in: 1_000))
        pace.note(.silent("no primary"))
        #expect(throws: SessionFault.silent("no primary")) { try pace.wait(pulse, until: Deadline(in: 0)) }
    }
}
