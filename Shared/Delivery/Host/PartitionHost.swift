package import Contracts
import Logging
import NIOConcurrencyHelpers
import ZeroMQ

/// The partitions that one replica of a service owns: takes free ones, releases those above its share.
///
/// `Ownership` alone decides who owns what; shares only decide releases.
package final class PartitionHost: Sendable {
    /// Any replica takes a partition that was free for so long.
    private static let freeMilliseconds: Int64 = 250
    private static let releaseMilliseconds: Int64 = 5_000
    /// Interval of checks while the replica lacks partitions.
    private static let hungryMilliseconds: Int64 = 20
    private static let standbyMilliseconds: Int64 = 100
    /// Interval of checks while the replica owns all partitions.
    private static let contentMilliseconds: Int64 = 1_000

    private static let membershipAttempts = 25

    /// Why a replica cannot start.
    package enum Fault: Error, CustomStringConvertible {
        case replicaRunning(ServiceName, Int)

        package var description: String {
            switch self {
            case .replicaRunning(let service, let replica):
                "replica \(replica) of \(service.rawValue) is running already; give --replica another number"
            }
        }
    }

    private struct State {
        var runners: [Int: PartitionRunner] = [:]
        var freeSince: [Int: Int64] = [:]
        var releasedAt: Int64 = 0
        /// How often the replica's own place was lost and could not be taken again, in succession.
        var missedMemberships = 0
        var isStopping = false
    }

    let settings: HostSettings
    let service: any PartitionedService
    /// Nil for a service that reads nothing ahead.
    let readAhead: ReadAheadPool?
    let turns = BatchTurns.usual
    private let state = NIOLockedValueBox(State())
    private let work = AsyncStream.makeStream(of: (WorkItem, PartitionRunner).self)
    private let waker = Waker()

    package init(service: any PartitionedService, settings: HostSettings) {
        self.settings = settings
        self.service = service
        readAhead = type(of: service).readsAhead ? ReadAheadPool { service.readAhead($0) } : nil
    }

    /// Runs partitions until `stop` is called and all are released.
    ///
    /// - Throws: `Fault`, `FileLock.Fault`.
    package func run() async throws {
        let membership = try await membership()
        readAhead?.open()
        defer { readAhead?.close() }
        try await withThrowingTaskGroup { group in
            group.addTask { await self.doWork() }
            try await self.steward(membership)
            self.work.continuation.finish()
            try await group.waitForAll()
        }
        membership.release()
    }

    /// Takes the replica's own place, which may not be free for a moment.
    private func membership() async throws -> any Membership {
        for _ in 0..<Self.membershipAttempts {
            if let membership = try settings.ownership.join() { return membership }
            try await Task.sleep(for: .milliseconds(Self.hungryMilliseconds))
        }
        throw Fault.replicaRunning(type(of: service).name, settings.replica)
    }

    /// Asks all partitions to finish and leave; `run` then returns.
    package func stop() {
        let runners = state.withLockedValue { state in
            state.isStopping = true
            return Array(state.runners.values)
        }
        for runner in runners { runner.inbox.stop() }
        waker.wake()
    }

    /// Calls `answer` after a turn of every owned partition's thread and an empty transaction in its store.
    package func heartbeat(_ answer: @escaping @Sendable () -> Void) {
        let runners = state.withLockedValue { Array($0.runners.values) }
        let missing = NIOLockedValueBox(runners.count)
        if runners.isEmpty { return answer() }
        for runner in runners {
            runner.beat {
                let left = missing.withLockedValue { count in
                    count -= 1
                    return count
                }
                if left == 0 { answer() }
            }
        }
    }

    /// The partitions owned now.
    package var owned: [Int] { state.withLockedValue { $0.runners.keys.sorted() } }

    // MARK: Outside work

    func begin(_ item: WorkItem, of runner: PartitionRunner) { work.continuation.yield((item, runner)) }

    private func doWork() async {
        guard let worker = service.worker else { return }
        await withDiscardingTaskGroup { group in
            for await (item, runner) in work.stream {
                group.addTask {
                    let result = await worker.perform(item)
                    self.settings.crash.reach(.afterWork)
                    runner.inbox.enqueueUnbounded(.input(.worked(item, result: result)))
                }
            }
            group.cancelAll()
        }
    }

    // MARK: Shares

    /// Runs the steward on its own thread, because locks and folders are blocking calls.
    private func steward(_ membership: any Membership) async throws {
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            runThread(name: "steward") { ended.resume(with: Result { try self.watch(membership) }) }
        }
    }

    private func watch(_ membership: any Membership) throws {
        while true {
            let (isStopping, isOver) = state.withLockedValue { ($0.isStopping, $0.runners.isEmpty) }
            if isStopping, isOver { return }
            // A replica that ends does not ask about the others.
            waker.pause(milliseconds: try isStopping ? Self.hungryMilliseconds : turn(of: membership))
        }
    }

    /// Looks at the partitions once; returns the pause until the next look, in ms.
    private func turn(of membership: any Membership) throws -> Int64 {
        let uptime = ClockReading.current().uptime
        return try isMember(membership) ? review(at: uptime) : Self.hungryMilliseconds
    }

    /// Whether the others see this replica, now or again.
    private func isMember(_ membership: any Membership) throws -> Bool {
        let isMember = try membership.renew()
        let missed = state.withLockedValue { state in
            state.missedMemberships = isMember ? 0 : state.missedMemberships + 1
            return state.missedMemberships
        }
        guard missed < Self.membershipAttempts else {
            throw Fault.replicaRunning(type(of: service).name, settings.replica)
        }
        return isMember
    }

    private func review(at uptime: Int64) throws -> Int64 {
        let isStopping = state.withLockedValue { $0.isStopping }
        if isStopping { return Self.hungryMilliseconds }
        let (members, rank) = try settings.ownership.census()
        let share = PartitionShare(partitions: settings.partitions, members: members)
        release(share, rank: rank, at: uptime)
        let owned = Set(self.owned)
        for partition in 0..<settings.partitions where !owned.contains(partition) {
            try consider(partition, isHungry: self.owned.count < share.count(rank: rank), at: uptime)
        }
        let count = self.owned.count
        if count == settings.partitions { return Self.contentMilliseconds }
        return count < share.count(rank: rank) ? Self.hungryMilliseconds : Self.standbyMilliseconds
    }

    private func release(_ share: PartitionShare, rank: Int, at uptime: Int64) {
        let runners = state.withLockedValue { state -> [PartitionRunner] in
            let surplus = share.surplus(owned: Array(state.runners.keys), rank: rank)
            guard !surplus.isEmpty, uptime - state.releasedAt >= Self.releaseMilliseconds else { return [] }
            state.releasedAt = uptime
            return surplus.compactMap { state.runners[$0] }
        }
        for runner in runners {
            settings.logger.info(
                "Partition released to another replica",
                metadata: ["partition": "\(runner.address)"]
            )
            runner.inbox.stop()
        }
    }

    private func consider(_ partition: Int, isHungry: Bool, at uptime: Int64) throws {
        if !isHungry {
            guard try settings.ownership.isFree(partition) else {
                return state.withLockedValue { $0.freeSince[partition] = nil }
            }
            let since = state.withLockedValue { state in
                let since = state.freeSince[partition] ?? uptime
                state.freeSince[partition] = since
                return since
            }
            guard uptime - since >= Self.freeMilliseconds else { return }
        }
        guard let owned = try settings.ownership.take(partition) else { return }
        let runner = PartitionRunner(partition, of: self)
        let isStopping = state.withLockedValue { state in
            state.freeSince[partition] = nil
            if !state.isStopping { state.runners[partition] = runner }
            return state.isStopping
        }
        if isStopping { owned.release() } else { runner.start(owning: owned) }
    }

    func ended(_ partition: Int) {
        state.withLockedValue { $0.runners[partition] = nil }
        waker.wake()
    }
}
