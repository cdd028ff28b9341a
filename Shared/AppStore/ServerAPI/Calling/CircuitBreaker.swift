package import Contracts
package import Domain

/// Stops calling a server that does not answer, and finds out when it answers again.
///
/// | from \ event | ask                             | answered | failed                       | abandoned      |
/// |--------------|---------------------------------|----------|------------------------------|----------------|
/// | closed       | go                              | closed   | closed; open at the limit    | closed         |
/// | open         | refused; when it is time: trial | –        | –                            | –              |
/// | trial        | refused                         | closed   | open, twice as long          | open, till now |
///
/// A call keeps the *round* in which it started; each change of state begins a new one, and what becomes of a
/// call of an earlier round (–) changes nothing. So a call that times out half a minute after an outage began
/// cannot be taken for the trial.
package struct CircuitBreaker: Hashable, Sendable {
    /// The three states; `failures` counts those since the last answer.
    package enum State: Hashable, Sendable {
        case closed(failures: Int)
        case open(until: Timestamp)
        case trial
    }

    /// What became of a call.
    package enum Outcome: CaseIterable, Hashable, Sendable {
        /// The server answered, be it with a refusal.
        case answered
        /// It did not, or could not.
        case failed
        /// The caller gave up first: this says nothing of the server.
        case abandoned
    }

    /// Whether a call may be made.
    package enum Admission: Hashable, Sendable {
        /// It may; its outcome is recorded for this round.
        case go(round: Int)
        /// Not before then.
        case refused(until: Timestamp)
    }

    /// So many failures in a row open the circuit.
    package static let failureLimit = 5
    /// How long it stays open: a receipt must not wait long once Apple is back.
    package static let backoff = Backoff(first: 1_000, longest: 8_000, jitter: 0)
    /// After so many ms a call that was refused for a trial asks again.
    package static let trialPause: Int64 = 500

    package private(set) var state = State.closed(failures: 0)
    private var round = 0
    /// How often it opened since the last answer.
    private var openings = 0

    package init() {}

    /// Asks to make a call.
    package mutating func ask(now: Timestamp) -> Admission {
        switch state {
        case .closed: return .go(round: round)
        case .open(let until):
            // Further ahead than it ever is, it says that the clock was put back, not that Apple is down.
            if now < until, until <= now.advanced(by: Self.backoff.longest) { return .refused(until: until) }
            enter(.trial)
            return .go(round: round)
        case .trial: return .refused(until: now.advanced(by: Self.trialPause))
        }
    }

    /// Records what became of a call that was admitted in `round`.
    package mutating func record(_ outcome: Outcome, round: Int, now: Timestamp) {
        guard round == self.round else { return }
        switch (state, outcome) {
        case (.closed, .answered): state = .closed(failures: 0)
        case (.closed(let failures), .failed):
            if failures + 1 < Self.failureLimit {
                state = .closed(failures: failures + 1)
            } else {
                openings = 0
                open(now: now)
            }
        case (.trial, .answered): enter(.closed(failures: 0))
        case (.trial, .failed): open(now: now)
        case (.trial, .abandoned): enter(.open(until: now))
        case (.closed, .abandoned), (.open, .answered), (.open, .failed), (.open, .abandoned): break
        }
    }

    private mutating func open(now: Timestamp) {
        openings += 1
        enter(.open(until: now.advanced(by: Self.backoff.pause(after: openings, random: 0))))
    }

    private mutating func enter(_ next: State) {
        state = next
        round += 1
    }
}
