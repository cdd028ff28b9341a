import Contracts
import ReceiptsCore
import Testing

@Suite struct `the reading of Apple's notifications` {
    private typealias Span = HistoryCursor.Span
    private static let minutes: Int64 = 600_000
    private static let hour: Int64 = 3_600_000
    private static let start = Sample.start

    private func due(_ reading: HistoryCursor, at now: Timestamp, started: Timestamp) -> Span? {
        reading.due(.production, now: now, started: started, every: Self.minutes)
    }

    @Test func `of an app that is new begins now, for what was told before belongs to whoever was told`() {
        let reading = HistoryCursor(beginningAt: Self.start)
        #expect(reading.readUntil == Self.start)
        #expect(due(reading, at: Self.start, started: Self.start) == nil)
    }

    @Test func `is whole once after a process began, an hour before its mark, and then by the schedule`()
        throws
    {
        var reading = HistoryCursor(beginningAt: Self.start)
        let restarted = Self.start.advanced(by: 5 * Self.hour)
        let whole = try #require(due(reading, at: restarted, started: restarted))
        #expect(whole == Span(from: Self.start.advanced(by: -Self.hour), to: restarted, onlyFailures: false))
        let isTaken1 = reading.take(whole, next: nil, now: restarted)
        #expect(isTaken1)
        #expect(reading.readUntil == restarted)
        #expect(due(reading, at: restarted.advanced(by: Self.minutes - 1), started: restarted) == nil)
        let next = restarted.advanced(by: Self.minutes)
        #expect(
            due(reading, at: next, started: restarted)
                == Span(from: restarted.advanced(by: -Self.hour), to: next, onlyFailures: true)
        )
    }

    @Test func `moves its mark with the last page only, and goes on with the next one after a death`() throws
    {
        var reading = HistoryCursor(beginningAt: Self.start)
        let now = Self.start.advanced(by: Self.hour)
        let first = try #require(due(reading, at: now, started: now))
        let isTaken2 = reading.take(first, next: "two", now: now)
        #expect(isTaken2)
        #expect(reading.readUntil == Self.start)

        // Another process begins; it goes on, and asks for nothing else.
        let second = try #require(due(reading, at: now, started: now.advanced(by: Self.minutes)))
        #expect(second.page == "two")
        #expect(second.to == first.to)
        let before = reading
        let isTaken3 = reading.take(
            Span(from: first.from, to: first.to, onlyFailures: false, page: "one"),
            next: "three",
            now: now
        )
        #expect(!isTaken3)
        #expect(reading == before)
        let isTaken4 = reading.take(second, next: nil, now: now)
        #expect(isTaken4)
        #expect(reading.readUntil == first.to)
    }

    @Test func `waits when Apple is down, and keeps its place and its mark`() throws {
        var reading = HistoryCursor(beginningAt: Self.start)
        let now = Self.start.advanced(by: Self.hour)
        let first = try #require(due(reading, at: now, started: now))
        _ = reading.take(first, next: "two", now: now)
        reading.postpone(until: now.advanced(by: 7_000))
        #expect(reading.troubles == 1)
        #expect(due(reading, at: now.advanced(by: 6_999), started: now) == nil)
        #expect(due(reading, at: now.advanced(by: 7_000), started: now)?.page == "two")
        reading.startOver(at: now.advanced(by: 9_000))
        let again = try #require(due(reading, at: now.advanced(by: 9_000), started: now))
        #expect(again.page == nil)
        #expect(again.from == Self.start.advanced(by: -Self.hour))
    }

    @Test(arguments: [(Environment.production, Int64(179)), (.sandbox, 29)])
    func `asks for no more than Apple keeps`(_ environment: Environment, _ days: Int64) throws {
        let reading = HistoryCursor(beginningAt: Self.start)
        let now = Self.start.advanced(by: 400 * 24 * Self.hour)
        let span = try #require(reading.due(environment, now: now, started: now, every: Self.minutes))
        #expect(span.from == now.advanced(by: -days * 24 * Self.hour))
    }

    @Test func `of what could not be delivered is given up for the whole that a new process needs`() throws {
        var reading = HistoryCursor(beginningAt: Self.start)
        let now = Self.start.advanced(by: Self.minutes)
        let failures = try #require(due(reading, at: now, started: Self.start))
        #expect(failures.onlyFailures)
        _ = reading.take(failures, next: "two", now: now)
        let whole = try #require(due(reading, at: now, started: now))
        #expect(!whole.onlyFailures)
        #expect(whole.page == nil)
    }

    @Test func `goes on when the clock was put back, once, and reads what lies between`() throws {
        var reading = HistoryCursor(beginningAt: Self.start)
        let past = Self.start.advanced(by: -30 * 24 * Self.hour)
        let span = try #require(due(reading, at: past, started: Self.start))
        #expect(span.from == past.advanced(by: -Self.hour))
        #expect(span.to == past)
        let isTaken = reading.take(span, next: nil, now: past)
        #expect(isTaken)
        #expect(due(reading, at: past.advanced(by: 1), started: Self.start) == nil)
        #expect(reading.nextDue(started: Self.start, every: Self.minutes) > past)
    }
}
