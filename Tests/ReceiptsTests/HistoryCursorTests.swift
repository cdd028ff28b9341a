import Contracts
import Domain
import Testing

@testable import Receipts

@Suite struct `the cursor of Apple's history` {
    private typealias Span = HistoryCursor.Span
    private static let minutes: Int64 = 600_000
    private static let hour: Int64 = 3_600_000
    private static let start = Sample.start
    private let now = Self.start.advanced(by: Self.hour)

    /// Reads a page that is being read.
    private func take(_ cursor: inout HistoryCursor, _ read: Span, next: String? = nil, now: Timestamp) {
        let directives = cursor.apply(.found(next: next), of: read, now: now, random: 0)
        #expect(directives != nil)
    }

    private func due(_ cursor: HistoryCursor, at now: Timestamp, started: Timestamp) -> Span? {
        cursor.due(.production, now: now, started: started, every: Self.minutes)
    }

    @Test func `of an app that is new begins now, for what was told before belongs to whoever was told`() {
        let cursor = HistoryCursor(beginningAt: Self.start)
        #expect(cursor.readUntil == Self.start)
        #expect(due(cursor, at: Self.start, started: Self.start) == nil)
    }

    @Test func `is whole once after a process began, an hour before its mark, and then by the schedule`()
        throws
    {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let restarted = Self.start.advanced(by: 5 * Self.hour)
        let whole = try #require(due(cursor, at: restarted, started: restarted))
        #expect(whole == Span(from: Self.start.advanced(by: -Self.hour), to: restarted, onlyFailures: false))
        take(&cursor, whole, now: restarted)
        #expect(cursor.readUntil == restarted)
        #expect(due(cursor, at: restarted.advanced(by: Self.minutes - 1), started: restarted) == nil)
        let next = restarted.advanced(by: Self.minutes)
        let failures = Span(from: restarted.advanced(by: -Self.hour), to: next, onlyFailures: true)
        #expect(due(cursor, at: next, started: restarted) == failures)
    }

    @Test func `moves its mark with the last page only, and goes on with the next one after a death`() throws
    {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let first = try #require(due(cursor, at: now, started: now))
        take(&cursor, first, next: "two", now: now)
        #expect(cursor.readUntil == Self.start)

        // Another process begins; it goes on, and asks for nothing else.
        let second = try #require(due(cursor, at: now, started: now.advanced(by: Self.minutes)))
        #expect(second.page == "two")
        #expect(second.to == first.to)
        let before = cursor
        let other = Span(from: first.from, to: first.to, onlyFailures: false, page: "one")
        let directives = cursor.apply(.found(next: "three"), of: other, now: now, random: 0)
        #expect(directives == nil && cursor == before)
        take(&cursor, second, now: now)
        #expect(cursor.readUntil == first.to)
    }

    @Test func `is whole once more after another process's reading, which says nothing of the time since`()
        throws
    {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let first = try #require(due(cursor, at: now, started: now))
        take(&cursor, first, next: "two", now: now)
        // The store is restored, or its process dies; the one that begins later finishes what was begun.
        let restarted = now.advanced(by: Self.hour)
        let second = try #require(due(cursor, at: restarted, started: restarted))
        take(&cursor, second, now: restarted)
        let whole = Span(from: now.advanced(by: -Self.hour), to: restarted, onlyFailures: false)
        #expect(due(cursor, at: restarted, started: restarted) == whole)
        take(&cursor, whole, now: restarted)
        #expect(due(cursor, at: restarted, started: restarted) == nil)
    }

    @Test func `waits when Apple is down, and keeps its place and its mark`() throws {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let first = try #require(due(cursor, at: now, started: now))
        take(&cursor, first, next: "two", now: now)
        let down = AppleJobResult(.unavailable, until: now.advanced(by: 7_000))
        let whileDown = cursor.apply(down, of: first, now: now, random: 0)
        #expect(whileDown == [])
        #expect(cursor.failures == 1)
        #expect(due(cursor, at: now.advanced(by: 6_999), started: now) == nil)
        #expect(due(cursor, at: now.advanced(by: 7_000), started: now)?.page == "two")
        let lost = AppleJobResult(.unknown, until: now.advanced(by: 9_000))
        let afterLoss = cursor.apply(lost, of: first, now: now, random: 0)
        #expect(afterLoss == [])
        let again = try #require(due(cursor, at: now.advanced(by: 9_000), started: now))
        #expect(again.page == nil)
        #expect(again.from == Self.start.advanced(by: -Self.hour))
    }

    @Test(arguments: [(Environment.production, Int64(179)), (.sandbox, 29)])
    func `asks for no more than Apple keeps`(_ environment: Environment, _ days: Int64) throws {
        let cursor = HistoryCursor(beginningAt: Self.start)
        let now = Self.start.advanced(by: 400 * 24 * Self.hour)
        let span = try #require(cursor.due(environment, now: now, started: now, every: Self.minutes))
        #expect(span.from == now.advanced(by: -days * 24 * Self.hour))
    }

    @Test func `of what could not be delivered is given up for the whole that a new process needs`() throws {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let now = Self.start.advanced(by: Self.minutes)
        let failures = try #require(due(cursor, at: now, started: Self.start))
        #expect(failures.onlyFailures)
        take(&cursor, failures, next: "two", now: now)
        let whole = try #require(due(cursor, at: now, started: now))
        #expect(!whole.onlyFailures)
        #expect(whole.page == nil)
    }

    @Test func `goes on when the clock was put back, once, and reads all that Apple keeps`() throws {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let past = Self.start.advanced(by: -30 * 24 * Self.hour)
        let span = try #require(due(cursor, at: past, started: Self.start))
        #expect(span.from == past.advanced(by: -179 * 24 * Self.hour))
        #expect(span.to == past)
        take(&cursor, span, now: past)
        #expect(due(cursor, at: past.advanced(by: 1), started: Self.start) == nil)
        #expect(cursor.nextDue(started: Self.start, every: Self.minutes) > past)
    }

    @Test func `goes on at once when a clock that was wrong has put the next page off`() throws {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let first = try #require(due(cursor, at: now, started: Self.start))
        _ = cursor.apply(
            AppleJobResult(.unavailable),
            of: first,
            now: now.advanced(by: 30 * 24 * Self.hour),
            random: 0
        )
        #expect(due(cursor, at: now.advanced(by: 1_000), started: Self.start) != nil)
    }

    @Test func `alerts an operator once while Apple does not take the key, and to every forged entry`() throws
    {
        var cursor = HistoryCursor(beginningAt: Self.start)
        let first = try #require(due(cursor, at: now, started: now))
        let rejected = AppleJobResult(.unauthorized, problem: "key")
        let rejectedFirst = cursor.apply(rejected, of: first, now: now, random: 0)
        #expect(rejectedFirst == [.alert("key")])
        let rejectedAgain = cursor.apply(rejected, of: first, now: now, random: 0)
        #expect(rejectedAgain == [])
        var forged = AppleJobResult.found()
        forged.findings = ["badSignature", "malformed"].map { AppleFinding(signedPayload: "n", problem: $0) }
        let ofForged = cursor.apply(forged, of: first, now: now, random: 0)
        #expect(ofForged == [.deliver([]), .alertForged(2)])
    }

    @Test func `goes on with what Apple signed and nobody here can read or trust`() {
        var cursor = HistoryCursor(beginningAt: Self.start)
        var result = AppleJobResult.found()
        result.findings = [
            AppleFinding(signedPayload: "n", problem: "untrusted"),
            AppleFinding(signedPayload: "n", problem: "badSignature", isInside: true),
        ]
        let span = Span(from: Self.start, to: Self.start, onlyFailures: false)
        let recovered = ServerNotificationRecoveredV1(
            identifier: ServerNotificationIdentifier.digest(of: "n"),
            signedPayload: "n"
        )
        let directives = cursor.apply(result, of: span, now: Self.start, random: 0)
        #expect(directives == [.deliver([recovered, recovered])])
    }
}
