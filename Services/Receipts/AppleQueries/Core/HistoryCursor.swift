import Contracts
import Domain

/// How far Apple's history of notifications was read, for one app and environment.
///
/// Tested by: `HistoryCursorTests`.
///
/// | when | what is read |
/// |---|---|
/// | never before | nothing: what Apple sent before this home had the app belongs to its former backend |
/// | since the process began | everything from an hour before the last reading: a restored store may lack it |
/// | on schedule | what Apple could not deliver, from an hour before the last reading |
///
/// It is read page by page; the cursor moves after the last page. One that lies ahead was moved by a wrong clock, and
/// does not tell when that was: everything that Apple keeps is read then.
struct HistoryCursor: Codable, Equatable, Sendable {
    struct Span: Codable, Equatable, Sendable {
        let from: Timestamp
        let to: Timestamp
        /// Whether only undelivered notifications are wanted.
        let onlyFailures: Bool
        /// Apple's token for the next page; nil for the first.
        var page: String?
    }

    enum Directive: Equatable, Sendable {
        case deliver([ServerNotificationRecoveredV1])
        /// Number of entries in the page without Apple's signature.
        case alertForged(Int)
        case alert(String)
    }

    /// Overlap of readings, ms: Apple's clock may differ and its list may lag.
    static let overlap: Int64 = 3_600_000
    /// Apple keeps its list for 180 days, in the sandbox for 30; one day less is requested, ms.
    static let retention: [Environment: Int64] = [
        .production: 179 * 86_400_000, .sandbox: 29 * 86_400_000,
    ]

    /// Everything that Apple sent or tried to send before then was read.
    private(set) var readUntil: Timestamp
    /// When the last whole reading, or the last one on schedule, began.
    private(set) var readAt: Timestamp
    /// Earliest time of the next request.
    private(set) var dueAt: Timestamp
    private(set) var failures = 0
    /// The current reading; nil between readings.
    private(set) var span: Span?

    init(beginningAt now: Timestamp) {
        (readUntil, readAt, dueAt) = (now, now, now)
    }

    /// What a process begun at `started` reads at `now`, at an `interval` in ms; nil until `nextDue`.
    func due(
        _ environment: Environment,
        now: Timestamp,
        started: Timestamp,
        every interval: Int64
    ) -> Span? {
        let times = times(at: now, every: interval)
        guard times.contains(nextDue(started: started, every: interval)) || now < readAt else { return nil }
        // A start in the future means the clock moved backwards; that process has read everything.
        let isWhole = readAt < started && started <= now
        // An earlier process's reading of undelivered notifications is part of the whole.
        if let span, !(span.onlyFailures && isWhole) { return span }
        let oldest = now.advanced(by: -(Self.retention[environment] ?? 0))
        return Span(
            from: readUntil <= now ? max(readUntil.advanced(by: -Self.overlap), oldest) : oldest,
            to: now,
            onlyFailures: !isWhole
        )
    }

    private var isUnderWay: Bool { span != nil || failures > 0 }

    private func times(at now: Timestamp, every interval: Int64) -> DueTimes {
        DueTimes(at: now, longestPause: isUnderWay ? AppleQuery.longestPause : interval)
    }

    /// When something is due that is not due at `now`.
    func next(after now: Timestamp, started: Timestamp, every interval: Int64) -> Timestamp? {
        times(at: now, every: interval).next(of: [nextDue(started: started, every: interval)])
    }

    func nextDue(started: Timestamp, every interval: Int64) -> Timestamp {
        if isUnderWay { return dueAt }
        return readAt < started ? min(started, readAt.advanced(by: interval)) : readAt.advanced(by: interval)
    }

    /// Applies the result of reading a page; nil if that page is no longer being read.
    mutating func apply(
        _ result: AppleJobResult,
        of read: Span,
        now: Timestamp,
        random: UInt64
    ) -> [Directive]? {
        switch result.outcome {
        case .found:
            guard advance(past: read, next: result.next, now: now) else { return nil }
            let genuine = result.findings.compactMap(\.recovered)
            let forgedCount = result.findings.count - genuine.count
            return [.deliver(genuine)] + (forgedCount > 0 ? [.alertForged(forgedCount)] : [])
        case .unavailable, .unauthorized:
            let isNew = failures == 0 && result.outcome == .unauthorized
            retry(result, now, random)
            return isNew ? [.alert(result.alert)] : []
        case .contradicted, .unknown, .tooLarge, .refused, .doubted:
            // Apple no longer knows the next page.
            span = nil
            retry(result, now, random)
            return []
        }
    }

    private mutating func advance(past read: Span, next: String?, now: Timestamp) -> Bool {
        guard read.page == nil || read.page == span?.page else { return false }
        failures = 0
        dueAt = now
        if let next {
            span = read
            span?.page = next
        } else {
            // What another process has begun says nothing of the time after: a process that began later still needs a
            // whole reading of its own. A backup may hold a reading that was under way.
            (readUntil, readAt) = (read.to, read.to)
            span = nil
        }
        return true
    }

    private mutating func retry(_ result: AppleJobResult, _ now: Timestamp, _ random: UInt64) {
        failures += 1
        dueAt = result.retryTime(after: failures, now: now, random: random)
    }
}
