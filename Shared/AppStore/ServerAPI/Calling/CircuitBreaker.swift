import Contracts
import Domain

/// Stops calling a server that does not respond, and finds out when it responds again.
///
/// | from \ event | ask                              | responded | failed                       | cancelled     |
/// |--------------|----------------------------------|-----------|------------------------------|---------------|
/// | closed       | admitted                         | closed    | closed; open at the limit    | closed        |
/// | open         | refused; when over: halfOpen     | –         | –                            | –             |
/// | halfOpen     | refused                          | closed    | open, twice as long          | open till now |
///
/// A call carries the *generation* in which it started; each change of state begins a new one, and the outcome of a
/// call of an earlier generation (–) changes nothing. So a call that times out half a minute after an outage began
/// cannot be taken for the one that tests the server.
struct CircuitBreaker: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case closed(failures: Int)
        case open(until: Timestamp)
        case halfOpen
    }

    enum Outcome: CaseIterable, Hashable, Sendable {
        case responded
        case failed
        /// The caller gave up; this says nothing about the server.
        case cancelled
    }

    enum Admission: Hashable, Sendable {
        case admitted(generation: Int)
        case refused(until: Timestamp)
    }

    static let failureLimit = 5
    /// Short, so that receipts do not wait long once Apple is back.
    static let backoff = Backoff(first: 1_000, longest: 8_000, jitter: 0)
    /// Ms before a call refused in `halfOpen` asks again.
    static let trialPause: Int64 = 500

    private(set) var state = State.closed(failures: 0)

    /// When to ask again a server that has stopped responding, and has not shown that it is back; nil for any other.
    func openUntil(now: Timestamp) -> Timestamp? {
        switch state {
        case .open(let until): until
        case .halfOpen: now.advanced(by: Self.trialPause)
        case .closed: nil
        }
    }
    private var generation = 0
    private var openings = 0

    mutating func ask(now: Timestamp) -> Admission {
        switch state {
        case .closed: return .admitted(generation: generation)
        case .open(let until):
            let ends = DueTimes(at: now, longestPause: Self.backoff.longest)
            if !ends.contains(until) { return .refused(until: until) }
            enter(.halfOpen)
            return .admitted(generation: generation)
        case .halfOpen: return .refused(until: now.advanced(by: Self.trialPause))
        }
    }

    mutating func record(_ outcome: Outcome, generation: Int, now: Timestamp) {
        guard generation == self.generation else { return }
        switch (state, outcome) {
        case (.closed, .responded): state = .closed(failures: 0)
        case (.closed(let failures), .failed):
            if failures + 1 < Self.failureLimit {
                state = .closed(failures: failures + 1)
            } else {
                openings = 0
                open(now: now)
            }
        case (.halfOpen, .responded): enter(.closed(failures: 0))
        case (.halfOpen, .failed): open(now: now)
        case (.halfOpen, .cancelled): enter(.open(until: now))
        case (.closed, .cancelled), (.open, .responded), (.open, .failed), (.open, .cancelled): break
        }
    }

    private mutating func open(now: Timestamp) {
        openings += 1
        enter(.open(until: now.advanced(by: Self.backoff.pause(after: openings, random: 0))))
    }

    private mutating func enter(_ next: State) {
        state = next
        generation += 1
    }
}
