import Contracts
import NIOConcurrencyHelpers

/// What all partitions say of themselves, asked once for everybody who wants to know at about the same time.
///
/// `/readyz` and `/metrics` need no key, so a flood of them must not become a flood of requests inside.
struct StatusBoard: Sendable {
    /// How long what was said is passed on without asking again.
    static let freshness = Duration.milliseconds(250)
    /// Most rounds of questions at a time.
    static let maximumRounds = 4

    /// What one partition said; nil when it did not answer in time.
    struct Line: Sendable {
        let partition: PartitionAddress
        let status: PartitionStatus?
    }

    private struct State {
        var rounds = 0
        var last: (lines: [Line], time: ContinuousClock.Instant)?
    }

    private enum Step {
        case show([Line])
        case ask
        case turnAway
    }

    private let partitions: Partitions
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = NIOLockedValueBox(State())

    /// The board of these partitions.
    init(partitions: Partitions, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.partitions = partitions
        self.now = now
    }

    /// What every partition says, in the order of their addresses.
    ///
    /// - Throws: `Problem` 503 when too many ask at once.
    func lines() async throws(Problem) -> [Line] {
        switch step() {
        case .show(let lines): return lines
        case .turnAway: throw .unavailable("Too many ask for the state of the partitions; try again.")
        case .ask:
            let lines = await ask()
            state.withLockedValue { state in
                state.rounds -= 1
                state.last = (lines, now())
            }
            return lines
        }
    }

    private func step() -> Step {
        state.withLockedValue { state in
            if let last = state.last, now() - last.time < Self.freshness { return .show(last.lines) }
            guard state.rounds < Self.maximumRounds else { return .turnAway }
            state.rounds += 1
            return .ask
        }
    }

    private func ask() async -> [Line] {
        await withTaskGroup(of: Line.self) { group in
            for partition in partitions.all {
                group.addTask { Line(partition: partition, status: await partitions.status(of: partition)) }
            }
            var lines: [Line] = []
            for await line in group { lines.append(line) }
            return lines.sorted { $0.partition < $1.partition }
        }
    }
}
