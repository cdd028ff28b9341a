import Contracts
import Domain

/// One message to an app's own server, from its writing to its delivery.
///
/// Tested by: `WebhookMachineTests`.
///
/// | from \ event | unblocked | reached     | failed        |
/// |--------------|-----------|-------------|---------------|
/// | queued       | `due`     | —           | —             |
/// | due          | again     | `delivered` | `due`, later  |
/// | delivered    | again     | again       | again         |
///
/// *queued*: an earlier message about the same buyer or account is not delivered yet. A message is never given up.
struct Webhook: Hashable, Sendable {
    /// The pauses between two attempts, ms; attempts never end.
    static let backoff = Backoff(first: 1_000, longest: 3_600_000, jitter: 0.25)

    /// Which times of messages are due at `now`.
    static func due(at now: Timestamp) -> DueTimes { DueTimes(at: now, longestPause: backoff.longest) }

    /// The state of a message.
    enum State: Hashable, Sendable { case queued, due(Timestamp), delivered(Timestamp) }

    /// What happens to a message.
    enum Event: Hashable, Sendable {
        /// The previous message was delivered.
        case unblocked
        /// The server answered 2xx.
        case reached
        /// Any other answer, or none; `random` spreads the next attempts of many.
        case failed(random: UInt64)

        init(status: Int?, random: UInt64) {
            self = (200...299).contains(status ?? 0) ? .reached : .failed(random: random)
        }
    }

    /// What must follow from an event.
    enum Directive: Hashable, Sendable {
        case save
        case unblockNext
    }

    /// Why an event leaves no trace.
    enum Refusal: Error, Equatable { case outOfTurn }

    /// Failed attempts after which an operator should act.
    static let alarmAttempts = 10

    private(set) var state: State
    private(set) var attempts = 0

    static func new(behindOthers: Bool, now: Timestamp) -> Webhook {
        Webhook(state: behindOthers ? .queued : .due(now))
    }

    /// When the message may be sent; nil when it waits for others or is delivered.
    var dueAt: Timestamp? { if case .due(let time) = state { time } else { nil } }

    /// When the server took the message; nil until then.
    var deliveredAt: Timestamp? { if case .delivered(let time) = state { time } else { nil } }

    /// Applies `event` and returns what must follow from it.
    mutating func apply(_ event: Event, now: Timestamp) throws(Refusal) -> [Directive] {
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
