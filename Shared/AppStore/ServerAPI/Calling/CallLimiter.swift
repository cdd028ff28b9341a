import Contracts
import NIOConcurrencyHelpers

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

    enum Outcome: Hashable, Sendable {
        case responded
        case rateLimited(until: Timestamp)
        case failed
        case cancelled
    }

    /// Limit of calls in flight, including those that wait for their token.
    static let permits = 128
    /// Ms before a call without a permit asks again.
    static let busyPause: Int64 = 1_000

    private(set) var breaker = CircuitBreaker()
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
        switch breaker.ask(now: now) {
        case .admitted(let current): generation = current
        case .refused(let until): throw .circuitOpen(until: until)
        }
        guard inFlight < Self.permits else { throw .busy(until: now.advanced(by: Self.busyPause)) }
        inFlight += 1
        switch endpoint.flatMap({ buckets[$0]?.take(now: now) }) {
        case .at(let start): return Permit(start: start, endpoint: endpoint, generation: generation)
        case .notBefore(let moment): throw .rateLimited(until: moment)
        case nil: return Permit(start: now, endpoint: endpoint, generation: generation)
        }
    }

    mutating func release(_ permit: Permit, _ outcome: Outcome, now: Timestamp) {
        inFlight -= 1
        switch outcome {
        case .responded: breaker.record(.responded, generation: permit.generation, now: now)
        case .failed: breaker.record(.failed, generation: permit.generation, now: now)
        case .cancelled: breaker.record(.cancelled, generation: permit.generation, now: now)
        case .rateLimited(let until):
            breaker.record(.responded, generation: permit.generation, now: now)
            if let endpoint = permit.endpoint { buckets[endpoint]?.block(until: until) }
        }
    }
}

struct CallLimiters: Sendable {
    private let production: NIOLockedValueBox<CallLimiter>
    private let sandbox: NIOLockedValueBox<CallLimiter>
    private let clock: ClientClock

    init(_ clock: ClientClock, _ limiter: (AppleServer) -> CallLimiter = { _ in CallLimiter() }) {
        self.clock = clock
        production = NIOLockedValueBox(limiter(.production))
        sandbox = NIOLockedValueBox(limiter(.sandbox))
    }

    func acquire(
        _ endpoint: Endpoint?,
        on server: AppleServer
    ) throws(CallLimiter.Refusal) -> CallLimiter.Permit {
        let now = clock.now()
        return try limiter(of: server).withLockedValue { limiter in
            Result { () throws(CallLimiter.Refusal) in try limiter.acquire(endpoint, now: now) }
        }.get()
    }

    func release(_ permit: CallLimiter.Permit, on server: AppleServer, _ outcome: CallLimiter.Outcome) {
        let now = clock.now()
        limiter(of: server).withLockedValue { $0.release(permit, outcome, now: now) }
    }

    private func limiter(of server: AppleServer) -> NIOLockedValueBox<CallLimiter> {
        server == .production ? production : sandbox
    }
}
