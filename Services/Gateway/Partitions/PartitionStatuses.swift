import Contracts
import NIOConcurrencyHelpers

/// The status of every partition, asked once for all callers at about the same time.
///
/// `/readyz` and `/metrics` need no key; this keeps a flood of them from becoming a flood of internal requests. Who
/// comes while a round of questions is under way waits for its answers, and makes none of its own: a partition that
/// does not reply costs its whole timeout, and probes come faster than that.
struct PartitionStatuses: Sendable {
    static let freshness = Duration.milliseconds(250)
    /// Most callers that wait for a round.
    static let maximumWaiting = 64
    /// Timeout of a reply, ms.
    static let replyMilliseconds: Int64 = 1_000

    /// One partition's status; nil when it did not reply in time.
    struct Entry: Sendable {
        let partition: PartitionAddress
        let status: PartitionStatus?
    }

    /// What a caller does next.
    private enum Turn: Sendable {
        case knows([Entry])
        case asks
        case isRefused
    }

    private struct State {
        var isAsking = false
        var waiting: [CheckedContinuation<Turn, Never>] = []
        var last: (entries: [Entry], time: ContinuousClock.Instant)?
    }

    private let partitions: Partitions
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = NIOLockedValueBox(State())

    init(partitions: Partitions, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.partitions = partitions
        self.now = now
    }

    /// How many callers wait for the round that is under way.
    var waiting: Int { state.withLockedValue { $0.waiting.count } }

    /// Every partition's status in the order of their addresses; 503 when too many wait for it.
    func entries() async throws(Problem) -> [Entry] {
        switch await turn() {
        case .knows(let entries): return entries
        case .isRefused:
            throw .unavailable("Too many ask for the state of the partitions; try again.")
        case .asks:
            let entries = await ask()
            end(with: entries)
            return entries
        }
    }

    private func turn() async -> Turn {
        await withCheckedContinuation { continuation in
            let turn = state.withLockedValue { state -> Turn? in
                if let last = state.last, now() - last.time < Self.freshness { return .knows(last.entries) }
                guard state.isAsking else {
                    state.isAsking = true
                    return .asks
                }
                guard state.waiting.count < Self.maximumWaiting else { return .isRefused }
                state.waiting.append(continuation)
                return nil
            }
            if let turn { continuation.resume(returning: turn) }
        }
    }

    /// Tells everybody who waits; a round that was cut short says nothing, and the next one who waits begins anew.
    private func end(with entries: [Entry]) {
        let isCutShort = Task.isCancelled
        let (told, turn) = state.withLockedValue { state -> ([CheckedContinuation<Turn, Never>], Turn) in
            if isCutShort {
                state.isAsking = !state.waiting.isEmpty
                return (state.waiting.isEmpty ? [] : [state.waiting.removeFirst()], .asks)
            }
            state.isAsking = false
            state.last = (entries, now())
            defer { state.waiting = [] }
            return (state.waiting, .knows(entries))
        }
        for continuation in told { continuation.resume(returning: turn) }
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
