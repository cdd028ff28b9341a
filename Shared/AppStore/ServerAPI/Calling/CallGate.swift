package import Contracts

/// What every call to one of Apple's servers passes: the circuit, the permits, and the endpoint's pace.
///
/// A pure value: whoever holds it locks it. An admitted call holds a permit until `leave`, so the calls under
/// way are bounded, and a refused one costs nothing and waits nowhere.
package struct CallGate: Sendable {
    /// What an admitted call holds.
    package struct Permit: Hashable, Sendable {
        /// The call may start then.
        package let start: Timestamp
        let endpoint: Endpoint?
        let round: Int
    }

    /// Why a call is not made.
    package enum Refusal: Error, Hashable, Sendable {
        /// The server does not answer.
        case circuitOpen(until: Timestamp)
        /// As many calls are under way as may be.
        case busy(until: Timestamp)
        /// The endpoint's limit is used up.
        case rateLimited(until: Timestamp)
    }

    /// What became of a call.
    package enum Outcome: Hashable, Sendable {
        case answered
        /// Apple wants no call to this endpoint before then.
        case rateLimited(until: Timestamp)
        case failed
        case abandoned
    }

    /// Calls to one server that may be under way, those that wait for their turn included.
    package static let permits = 128
    /// After so many ms a call that found no permit asks again.
    package static let busyPause: Int64 = 1_000

    package private(set) var breaker = CircuitBreaker()
    package private(set) var underWay = 0
    private var buckets: [Endpoint: TokenBucket]

    package init(buckets: [Endpoint: TokenBucket] = [:]) { self.buckets = buckets }

    /// Asks to make a call; a refusal leaves no trace.
    package mutating func enter(_ endpoint: Endpoint?, now: Timestamp) throws(Refusal) -> Permit {
        var next = self
        let permit = try next.admit(endpoint, now)
        self = next
        return permit
    }

    private mutating func admit(_ endpoint: Endpoint?, _ now: Timestamp) throws(Refusal) -> Permit {
        let round: Int
        switch breaker.ask(now: now) {
        case .go(let current): round = current
        case .refused(let until): throw .circuitOpen(until: until)
        }
        guard underWay < Self.permits else { throw .busy(until: now.advanced(by: Self.busyPause)) }
        underWay += 1
        return Permit(start: try turn(endpoint, now), endpoint: endpoint, round: round)
    }

    private mutating func turn(_ endpoint: Endpoint?, _ now: Timestamp) throws(Refusal) -> Timestamp {
        guard let endpoint else { return now }
        switch buckets[endpoint]?.take(now: now) {
        case .at(let start): return start
        case .notBefore(let moment): throw .rateLimited(until: moment)
        case nil: return now
        }
    }

    /// Gives the permit back and says what became of the call.
    package mutating func leave(_ permit: Permit, _ outcome: Outcome, now: Timestamp) {
        underWay -= 1
        switch outcome {
        case .answered: breaker.record(.answered, round: permit.round, now: now)
        case .failed: breaker.record(.failed, round: permit.round, now: now)
        case .abandoned: breaker.record(.abandoned, round: permit.round, now: now)
        case .rateLimited(let until):
            breaker.record(.answered, round: permit.round, now: now)
            if let endpoint = permit.endpoint { buckets[endpoint]?.block(until: until) }
        }
    }
}
