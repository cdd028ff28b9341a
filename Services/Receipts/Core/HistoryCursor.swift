package import Contracts

/// How far Apple's history of notifications was read, for one app and environment.
///
/// | when | what is read |
/// |---|---|
/// | never before | nothing: what Apple sent before this home had the app belongs to its former backend |
/// | since the process began | everything from an hour before the last reading: a restored store may lack it |
/// | each time the schedule says so | what Apple could not deliver, from an hour before the last reading |
///
/// It is read page by page; the cursor moves with the last page.
package struct HistoryCursor: Equatable, Sendable {
    /// What is being read, and where its next page is.
    package struct Span: Codable, Equatable, Sendable {
        package let from: Timestamp
        package let to: Timestamp
        /// Whether only what did not arrive is wanted.
        package let onlyFailures: Bool
        /// Apple's name for the next page; nil for the first.
        package var page: String?

        package init(from: Timestamp, to: Timestamp, onlyFailures: Bool, page: String? = nil) {
            self.from = from
            self.to = to
            self.onlyFailures = onlyFailures
            self.page = page
        }
    }

    /// What is done after a result.
    package enum Directive: Equatable, Sendable {
        case deliver([NotificationRecoveredV1])
        /// So many entries of the page are not signed by Apple.
        case alertForged(Int)
        case alert(String)
    }

    /// Readings overlap by so many ms: Apple's clock is another one, and its list may be late.
    package static let overlap: Int64 = 3_600_000
    /// Apple keeps its list for 180 days, in the sandbox for 30; a day less is asked for, in ms.
    package static let retention: [Environment: Int64] = [
        .production: 179 * 86_400_000, .sandbox: 29 * 86_400_000,
    ]

    /// Everything that Apple sent, or tried to send, before was read.
    package private(set) var readUntil: Timestamp
    /// When the last reading ended.
    package private(set) var readAt: Timestamp
    /// Not before then is the next page asked for.
    package private(set) var dueAt: Timestamp
    /// Attempts since the last answer.
    package private(set) var failures: Int
    /// What is being read; nil between two readings.
    package private(set) var span: Span?

    package init(readUntil: Timestamp, readAt: Timestamp, dueAt: Timestamp, failures: Int, span: Span?) {
        self.readUntil = readUntil
        self.readAt = readAt
        self.dueAt = dueAt
        self.failures = failures
        self.span = span
    }

    /// The cursor of an app that is new here.
    package init(beginningAt now: Timestamp) {
        self.init(readUntil: now, readAt: now, dueAt: now, failures: 0, span: nil)
    }

    // MARK: Due

    /// What is to be read at `now` by a process that began at `started` and reads every so many ms; nil when nothing is
    /// due, and then `nextDue` says when something will be.
    package func due(
        _ environment: Environment,
        now: Timestamp,
        started: Timestamp,
        every interval: Int64
    ) -> Span? {
        guard now >= nextDue(started: started, every: interval) || now < readAt else { return nil }
        // A process that began in the future began before the clock moved backwards, and has read everything.
        let isWhole = readAt < started && started <= now
        // What an earlier process began to read of what could not be delivered is part of the whole.
        if let span, !(span.onlyFailures && isWhole) { return span }
        let oldest = now.advanced(by: -(Self.retention[environment] ?? 0))
        return Span(
            from: max(min(readUntil, now).advanced(by: -Self.overlap), oldest),
            to: now,
            onlyFailures: !isWhole
        )
    }

    /// When something is to be read next.
    package func nextDue(started: Timestamp, every interval: Int64) -> Timestamp {
        if span != nil || failures > 0 { return dueAt }
        return readAt < started ? min(started, readAt.advanced(by: interval)) : readAt.advanced(by: interval)
    }

    // MARK: Results

    /// Takes the result of reading a page; nil if the page is not what is being read any more.
    package mutating func apply(
        _ result: AppleJobResult,
        of read: Span,
        now: Timestamp,
        random: UInt64
    ) -> [Directive]? {
        switch result.outcome {
        case .found:
            guard take(read, next: result.next, now: now) else { return nil }
            let forged: [Directive] = result.unreadable > 0 ? [.alertForged(result.unreadable)] : []
            return [.deliver(result.notifications)] + forged
        case .unavailable, .unauthorized:
            let isNew = failures == 0 && result.outcome == .unauthorized
            retry(result, now, random)
            return isNew ? [.alert(result.alert)] : []
        case .contradicted, .unknown, .tooLarge, .refused, .doubted:
            // Apple does not know the next page any more.
            span = nil
            retry(result, now, random)
            return []
        }
    }

    private mutating func take(_ read: Span, next: String?, now: Timestamp) -> Bool {
        guard read.page == nil || read.page == span?.page else { return false }
        failures = 0
        dueAt = now
        if let next {
            span = read
            span?.page = next
        } else {
            readUntil = read.to
            readAt = now
            span = nil
        }
        return true
    }

    private mutating func retry(_ result: AppleJobResult, _ now: Timestamp, _ random: UInt64) {
        failures += 1
        dueAt = result.retryTime(after: failures, now: now, random: random)
    }
}
