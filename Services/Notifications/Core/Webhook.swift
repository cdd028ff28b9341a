package import Contracts
package import Domain

/// One message to an app's own server, from the day it is written until the server has taken it.
///
/// | from \ event | unblocked | reached     | failed        |
/// |--------------|-----------|-------------|---------------|
/// | queued       | `due`     | —           | —             |
/// | due          | again     | `delivered` | `due`, later  |
/// | delivered    | again     | again       | again         |
///
/// *queued*: an earlier message about the same buyer is not delivered yet. A message is never given up.
package struct Webhook: Hashable, Sendable {
    /// The pauses between two attempts; attempts never end.
    package static let backoff = Backoff(first: 1_000, longest: 3_600_000, jitter: 0.25)

    /// How far a message has come.
    package enum State: Hashable, Sendable { case queued, due(Timestamp), delivered(Timestamp) }

    /// What happens to a message.
    package enum Event: Hashable, Sendable {
        /// The message before it was delivered.
        case unblocked
        /// The server answered 2xx.
        case reached
        /// It answered something else, or nothing; `random` spreads the next attempts of many.
        case failed(random: UInt64)

        /// What an HTTP status means; nil where there was no answer.
        package init(status: Int?, random: UInt64) {
            self = (200...299).contains(status ?? 0) ? .reached : .failed(random: random)
        }
    }

    /// What must follow from an event.
    package enum Directive: Hashable, Sendable {
        case save
        /// The buyer's next message may be sent.
        case unblockNext
    }

    /// Why an event leaves no trace.
    package enum Refusal: Error, Equatable { case outOfTurn }

    /// Failed attempts at which an operator should look.
    package static let alarmAttempts = 10

    package private(set) var state: State
    /// How many attempts have failed.
    package private(set) var attempts: Int

    package init(state: State, attempts: Int = 0) {
        self.state = state
        self.attempts = attempts
    }

    package init(behindOthers: Bool, now: Timestamp) { self.init(state: behindOthers ? .queued : .due(now)) }

    /// When the message may be sent; nil when it waits for others or is delivered.
    package var dueAt: Timestamp? {
        guard case .due(let time) = state else { return nil }
        return time
    }

    /// When the server took the message; nil until then.
    package var deliveredAt: Timestamp? {
        guard case .delivered(let time) = state else { return nil }
        return time
    }

    /// Applies `event` and returns what must follow from it.
    package mutating func apply(_ event: Event, now: Timestamp) throws(Refusal) -> [Directive] {
        switch (state, event) {
        case (.queued, .unblocked):
            state = .due(now)
            return [.save]
        case (.due, .reached):
            state = .delivered(now)
            return [.save, .unblockNext]
        case (.due, .failed(let random)):
            attempts += 1
            state = .due(now.advanced(by: Self.backoff.pause(after: attempts, random: random)))
            return [.save]
        case (.due, .unblocked), (.delivered, .unblocked), (.delivered, .reached), (.delivered, .failed):
            return []
        case (.queued, .reached), (.queued, .failed):
            throw .outOfTurn
        }
    }
}
