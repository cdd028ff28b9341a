import AppStore
import Contracts
import Delivery
import NIOConcurrencyHelpers

/// Asks now and then whether a certificate was revoked by which proofs were found genuine, once for a process.
///
/// Never on the way of a proof, and nothing is refused because of it: whoever reads the alarm decides. What is known is
/// in memory only, as a new process asks anew.
final class RevocationMonitor: Sendable {
    /// The key of its work item.
    static let key = "revocations"
    /// The first round, so many ms after the process began.
    static let firstMilliseconds: Int64 = 60_000
    /// ms between two rounds; Apple's answers are good for about half a day.
    static let everyMilliseconds: Int64 = 3_600_000

    private struct State {
        var dueAt: Timestamp
        var revoked: Set<CertificateName> = []
    }

    private let verifiers: AppleVerifiers
    private let checker: RevocationChecker
    private let clock: ClientClock
    private let state: NIOLockedValueBox<State>

    /// A watch over the chains that `verifiers` use.
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

    /// The item of a round that is due; no other partition gets it before the next one.
    func item(now: Timestamp) -> WorkItem? {
        state.withLockedValue { state in
            guard now >= state.dueAt else { return nil }
            state.dueAt = now.advanced(by: Self.everyMilliseconds)
            return WorkItem(key: Self.key, payload: [])
        }
    }

    /// When the next round is due.
    var nextDue: Timestamp { state.withLockedValue { $0.dueAt } }

    /// How many certificates were revoked, as far as is known.
    var revokedCount: Int { state.withLockedValue { $0.revoked.count } }

    /// Asks about all chains in use.
    ///
    /// - Returns: What an operator must know that was not known before, one line for each certificate.
    func check() async -> [String] {
        let findings = await checker.check(verifiers.chainsInUse, now: clock.now())
        let revoked = findings.compactMap { finding in
            if case .revoked(let name) = finding.status { name } else { nil }
        }
        return state.withLockedValue { state in
            let news = Set(revoked).subtracting(state.revoked)
            state.revoked.formUnion(news)
            return news.map { "Apple's certificate \($0.serialNumber) was revoked: \($0.subject)" }.sorted()
        }
    }
}
