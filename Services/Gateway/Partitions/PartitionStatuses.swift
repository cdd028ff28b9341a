import Contracts
import NIOConcurrencyHelpers

/// The status of every partition, asked once for all callers at about the same time.
///
/// `/readyz` and `/metrics` need no key; this keeps a flood of them from becoming a flood of internal requests.
struct PartitionStatuses: Sendable {
    static let freshness = Duration.milliseconds(250)
    static let maximumRounds = 4
    /// Timeout of a reply, ms.
    static let replyMilliseconds: Int64 = 1_000

    /// One partition's status; nil when it did not reply in time.
    struct Entry: Sendable {
        let partition: PartitionAddress
        let status: PartitionStatus?
    }

    private struct State {
        var rounds = 0
        var last: (entries: [Entry], time: ContinuousClock.Instant)?
    }

    private let partitions: Partitions
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = NIOLockedValueBox(State())

    init(partitions: Partitions, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.partitions = partitions
        self.now = now
    }

    /// Every partition's status in the order of their addresses; 503 when too many ask at once.
    func entries() async throws(Problem) -> [Entry] {
        let (fresh, mayAsk) = state.withLockedValue { state -> ([Entry]?, Bool) in
            if let last = state.last, now() - last.time < Self.freshness { return (last.entries, true) }
            guard state.rounds < Self.maximumRounds else { return (nil, false) }
            state.rounds += 1
            return (nil, true)
        }
        guard mayAsk else { throw .unavailable("Too many ask for the state of the partitions; try again.") }
        if let fresh { return fresh }
        let entries = await ask()
        state.withLockedValue { state in
            state.rounds -= 1
            state.last = (entries, now())
        }
        return entries
    }

    private func ask() async -> [Entry] {
        await withTaskGroup(of: Entry.self) { group in
            for partition in partitions.all { group.addTask { await ask(partition) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.partition < $1.partition }
        }
    }

    private func ask(_ partition: PartitionAddress) async -> Entry {
        do {
            let subject = partition.description
            let timeout = Self.replyMilliseconds
            let request = PartitionStatusV1()
            let status = try await partitions.ask(request, of: partition, subject: subject, within: timeout)
            return Entry(partition: partition, status: status)
        } catch {
            return Entry(partition: partition, status: nil)
        }
    }
}
