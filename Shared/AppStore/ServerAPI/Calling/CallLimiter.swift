import Contracts
import Domain

/// Limits the calls to one of Apple's servers: circuit breaker, token buckets, and permits held until
/// `release`.
struct CallLimiter: Sendable {
    struct Permit: Hashable, Sendable {
        let start: Timestamp
        let endpoint: Endpoint?
        let generation: Int
    }

    enum Refusal: Error, Hashable, Sendable {
        case circuitOpen(until: Timestamp)
        case busy(until: Timestamp)
        case rateLimited(until: Timestamp)
    }

    /// Limit of calls in flight, including those that wait for their token.
    static let permits = 128
    /// Ms before a call without a permit asks again.
    static let busyPause: Int64 = 1_000

    /// One for each endpoint, because one may fail alone.
    private(set) var breakers: [Endpoint?: CircuitBreaker] = [:]
    private(set) var inFlight = 0
    private var buckets: [Endpoint: TokenBucket]

    init(buckets: [Endpoint: TokenBucket] = [:]) { self.buckets = buckets }

    mutating func acquire(_ endpoint: Endpoint?, now: Timestamp) throws(Refusal) -> Permit {
        var next = self
        let permit = try next.admit(endpoint, now)
        self = next
        return permit
    }

    private mutating func admit(_ endpoint: Endpoint?, _ now: Timestamp) throws(Refusal) -> Permit {
        let generation: Int
        switch breakers[endpoint, default: CircuitBreaker()].ask(now: now) {
        case .admitted(let current): generation = current
        case .refused(let until): throw .circuitOpen(until: until)
        }
        guard inFlight < Self.permits else { throw .busy(until: now.advanced(by: Self.busyPause)) }
        inFlight += 1
        switch endpoint.flatMap({ buckets[$0]?.take(now: now) }) ?? .at(now) {
        case .at(let start): return Permit(start: start, endpoint: endpoint, generation: generation)
        case .notBefore(let moment): throw .rateLimited(until: moment)
        }
    }

    /// Until when an endpoint is closed, for the reason that lasts longer; nil if it is open.
    func closedUntil(_ endpoint: Endpoint, now: Timestamp) -> Timestamp? {
        let broken = breakers[endpoint]?.openUntil(now: now)
        var bucket = buckets[endpoint]
        guard case .notBefore(let moment)? = bucket?.take(now: now) else { return broken }
        return broken.map { max($0, moment) } ?? moment
    }

    /// `blockedUntil` is when Apple wants to hear of the endpoint again.
    mutating func release(
        _ permit: Permit,
        _ outcome: CircuitBreaker.Outcome,
        blockedUntil: Timestamp? = nil,
        now: Timestamp
    ) {
        inFlight -= 1
        breakers[permit.endpoint]?.record(outcome, generation: permit.generation, now: now)
        if let blockedUntil, let endpoint = permit.endpoint { buckets[endpoint]?.block(until: blockedUntil) }
    }
}
