import Contracts
import Domain
import NIOConcurrencyHelpers

struct CallLimiters: Sendable {
    private let limiters: NIOLockedValueBox<[AppleServer: CallLimiter]>
    private let clock: ClientClock

    init(_ clock: ClientClock, _ limiter: (AppleServer) -> CallLimiter = { _ in CallLimiter() }) {
        self.clock = clock
        let limiters = AppleServer.allCases.map { ($0, limiter($0)) }
        self.limiters = NIOLockedValueBox(Dictionary(uniqueKeysWithValues: limiters))
    }

    /// Until when calls to an endpoint of a server are refused because it does not respond, or was asked too much.
    func closedUntil(_ endpoint: Endpoint, on server: AppleServer) -> Timestamp? {
        let now = clock.now()
        return limiters.withLockedValue { $0[server]?.closedUntil(endpoint, now: now) }
    }

    func acquire(
        _ endpoint: Endpoint?,
        on server: AppleServer
    ) throws(CallLimiter.Refusal) -> CallLimiter.Permit {
        let now = clock.now()
        return try limiters.withLockedValue { limiters in
            Result { () throws(CallLimiter.Refusal) in
                try limiters[server, default: CallLimiter()].acquire(endpoint, now: now)
            }
        }.get()
    }

    func release(
        _ permit: CallLimiter.Permit,
        on server: AppleServer,
        _ outcome: CircuitBreaker.Outcome,
        blockedUntil: Timestamp? = nil
    ) {
        let now = clock.now()
        limiters.withLockedValue {
            $0[server]?.release(permit, outcome, blockedUntil: blockedUntil, now: now)
        }
    }
}
