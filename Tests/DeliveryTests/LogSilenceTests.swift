import Contracts
import Database
import Foundation
import NIOConcurrencyHelpers
import TestKit
import Testing

@testable import Delivery

/// Logs in memory, one a partition; some of them do not answer for a while.
private final class SilentLogs: PartitionLogs {
    let silent = NIOLockedValueBox<Set<Int>>([])
    /// Each partition once it waits.
    let waits: AsyncStream<Int>
    private let wait: AsyncStream<Int>.Continuation

    init() { (waits, wait) = AsyncStream.makeStream() }

    func open(_ partition: PartitionAddress, whileWaiting: @escaping () -> Void) throws -> any PartitionLog {
        let (shared, number) = (SharedLog(), partition.partition)
        let commits = ForwardingLog(shared.entries)
        commits.onAppend = { [silent, wait] entry throws(LogFault) in
            var isTold = false
            while silent.withLockedValue({ $0.contains(number) }) {
                whileWaiting()
                if !isTold { wait.yield(number) }
                isTold = true
                sched_yield()
            }
            return try shared.entries.append(entry)
        }
        return HostLog(shared, host: "here", commits: commits)
    }

    func sign(of partition: PartitionAddress) throws -> OwnerSign {
        OwnerSign(epoch: 0, counter: 0, holder: .nobody)
    }

    func quarantine(_ partition: PartitionAddress, _ why: String) throws {}
}

@Suite(.timeLimit(.minutes(2))) struct `a process whose logs do not answer` {
    private static let patience: Int64 = 30_000

    /// As many wait as may handle a batch at the same time, and one partition more.
    ///
    /// Without their turns it answers neither requests nor heartbeats, and the process is killed in the end.
    @Test func `answers heartbeats, and requests of the partitions whose logs do`() async throws {
        let waiting = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        let (folder, logs) = (try HostFolder(), SilentLogs())
        let host = try folder.host(NoteService<SendingRole>(), partitions: waiting + 1, logs: logs)
        let client = folder.client()
        let asked = (0...waiting).map { PartitionAddress(.orders, $0) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await host.run() }
            defer {
                logs.silent.withLockedValue { $0 = [] }
                host.stop()
            }
            for one in asked { _ = try await client.ask(PartitionStatusV1(), of: one, within: Self.patience) }
            logs.silent.withLockedValue { $0 = Set(0..<waiting) }
            for one in asked.dropLast() {
                let say = SayV1(to: .entitlements, texts: ["\(one)"])
                group.addTask { _ = try await client.ask(say, of: one, within: Self.patience) }
            }
            for await _ in logs.waits.prefix(waiting) {}
            _ = try await client.ask(PartitionStatusV1(), of: asked[waiting], within: Self.patience)
            await withCheckedContinuation { answered in host.heartbeat { answered.resume() } }
        }
    }
}
