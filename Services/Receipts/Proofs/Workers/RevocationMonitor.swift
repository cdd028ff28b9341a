import AppStore
import Contracts
import Delivery
import Domain
import NIOConcurrencyHelpers

/// Checks periodically, once per process, whether certificates of genuine proofs were revoked.
///
/// It delays and refuses no proof: the operator decides on an alert. A new process checks anew.
final class RevocationMonitor: Sendable {
    static let key = "revocations"
    /// First round after process start, ms.
    static let firstMilliseconds: Int64 = 60_000
    /// Interval, ms; Apple's answers are valid for about half a day.
    static let everyMilliseconds: Int64 = 3_600_000

    private struct State {
        var dueAt: Timestamp
        var revoked: Set<CertificateName> = []
    }

    private let verifiers: AppleVerifiers
    private let checker: RevocationChecker
    private let clock: ClientClock
    private let state: NIOLockedValueBox<State>

    init(
        _ verifiers: AppleVerifiers,
        checker: RevocationChecker = RevocationChecker(),
        clock: ClientClock = .system
    ) {
        self.verifiers = verifiers
        self.checker = checker
        self.clock = clock
        state = NIOLockedValueBox(State(dueAt: clock.now().advanced(by: Self.firstMilliseconds)))
    }

    func item(now: Timestamp) -> WorkItem? {
        state.withLockedValue { state in
            let times = DueTimes(at: now, longestPause: Self.everyMilliseconds)
            guard times.contains(state.dueAt) else { return nil }
            state.dueAt = now.advanced(by: Self.everyMilliseconds)
            return WorkItem(key: Self.key, payload: [])
        }
    }

    var nextDue: Timestamp { state.withLockedValue { $0.dueAt } }

    var revokedCount: Int { state.withLockedValue { $0.revoked.count } }

    /// Checks all chains in use, and returns new alerts for an operator, one line per certificate.
    func check() async -> [String] {
        let statuses = await checker.check(verifiers.chainsInUse, now: clock.now())
        let revoked = statuses.compactMap { status in
            if case .revoked(let name) = status { name } else { nil }
        }
        return state.withLockedValue { state in
            let news = Set(revoked).subtracting(state.revoked)
            state.revoked.formUnion(news)
            return news.map { "Apple's certificate \($0.serialNumber) was revoked: \($0.subject)" }.sorted()
        }
    }
}
