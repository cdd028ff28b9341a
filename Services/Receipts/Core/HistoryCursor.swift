package import Contracts

/// How far Apple's list of notifications was read, for one app and environment.
///
/// | when | what is read |
/// |---|---|
/// | never before | nothing: what Apple sent before this home had the app belongs to whoever was told then |
/// | since the process began | everything from an hour before the last reading: a store that was restored may lack it |
/// | each time the schedule says so | what Apple could not deliver, from an hour before the last reading |
///
/// A reading goes page by page, and its end becomes the mark only with the last one.
package struct HistoryCursor: Equatable, Sendable {
    /// What is read in one go, and where its next page is.
    package struct Span: Codable, Equatable, Sendable {
        package let from: Timestamp
        package let to: Timestamp
        /// Whether only what did not arrive is wanted.
        package let onlyFailures: Bool
        /// Apple's word for the next page; nil for the first.
        package var page: String?

        package init(from: Timestamp, to: Timestamp, onlyFailures: Bool, page: String? = nil) {
            self.from = from
            self.to = to
            self.onlyFailures = onlyFailures
            self.page = page
        }
    }

    /// Readings overlap by so many ms: Apple's clock is another one, and its list may be late.
    package static let overlap: Int64 = 3_600_000
    /// Apple keeps its list for 180 days, in the sandbox for 30; a day less is asked for, in ms.
    package static let retention: [Environment: Int64] = [
        .production: 179 * 86_400_000, .sandbox: 29 * 86_400_000,
    ]

    /// All that Apple sent, or tried to send, before is here.
    package private(set) var readUntil: Timestamp
    /// When the last reading ended.
    package private(set) var readAt: Timestamp
    /// Not before then is the next page asked for.
    package private(set) var dueAt: Timestamp
    /// Attempts since Apple's last word.
    package private(set) var troubles: Int
    /// What is being read; nil between two readings.
    package private(set) var span: Span?

    /// The mark of an app that is new here.
    package init(beginningAt now: Timestamp) {
        self.init(readUntil: now, readAt: now, dueAt: now, troubles: 0, span: nil)
    }

    package init(readUntil: Timestamp, readAt: Timestamp, dueAt: Timestamp, troubles: Int, span: Span?) {
        self.readUntil = readUntil
        self.readAt = readAt
        self.dueAt = dueAt
        self.troubles = troubles
        self.span = span
    }

    /// What is to be read at `now` by a process that began at `started` and reads every so many ms; nil when nothing is
    /// due, and then `nextDue` says when something will be.
    package func due(
        _ environment: Environment,
        now: Timestamp,
        started: Timestamp,
        every interval: Int64
    ) -> Span? {
        guard now >= nextDue(started: started, every: interval) || now < readAt else { return nil }
        let isWhole = isWholeNeeded(now: now, started: started)
        // What a process before this one began to read of what could not be delivered is part of the whole.
        if let span, !(span.onlyFailures && isWhole) { return span }
        let oldest = now.advanced(by: -(Self.retention[environment] ?? 0))
        return Span(
            from: max(min(readUntil, now).advanced(by: -Self.overlap), oldest),
            to: now,
            onlyFailures: !isWhole
        )
    }

    /// Whether this process has not read the whole yet; one that began in the future has lived before the clock was put
    /// back, and has.
    private func isWholeNeeded(now: Timestamp, started: Timestamp) -> Bool {
        readAt < started && started <= now
    }

    /// When something is to be read next.
    package func nextDue(started: Timestamp, every interval: Int64) -> Timestamp {
        if span != nil || troubles > 0 { return dueAt }
        return readAt < started ? min(started, readAt.advanced(by: interval)) : readAt.advanced(by: interval)
    }

    /// Takes a page of `read`, after which `next` comes; false if it is not what is being read any more.
    package mutating func take(_ read: Span, next: String?, now: Timestamp) -> Bool {
        guard read.page == nil || read.page == span?.page else { return false }
        troubles = 0
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

    /// Asks for the same page again at `moment`.
    package mutating func postpone(until moment: Timestamp) {
        troubles += 1
        dueAt = moment
    }

    /// Begins the reading anew: Apple does not know the place of its next page any more.
    package mutating func startOver(at moment: Timestamp) {
        span = nil
        postpone(until: moment)
    }
}
