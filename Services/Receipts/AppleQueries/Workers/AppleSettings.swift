import AppStore
import Contracts

/// What all workers need that ask Apple.
struct AppleSettings: Sendable {
    let access: AppleAccess
    /// Interval of reading undelivered notifications, ms.
    let readingInterval: Int64
    let verifiers: AppleVerifiers
    let revocations: RevocationMonitor
    /// Process start: each process reads once what Apple sent since the last reading.
    let started: Timestamp

    init(access: AppleAccess, readingInterval: Int64, verifiers: AppleVerifiers) {
        self.access = access
        self.readingInterval = readingInterval
        self.verifiers = verifiers
        revocations = RevocationMonitor(verifiers, clock: access.clock)
        started = access.clock.now()
    }
}
