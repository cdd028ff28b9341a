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
    /// Whether those say that they do not know, each time that they are asked.
    let areUnsure: Bool
    /// Whether what they say of a wait is that it is long.
    let isLong: Bool
    /// Each partition once it waits.
    let waits: AsyncStream<Int>
    private let wait: AsyncStream<Int>.Continuation
    /// Between two looks whether they answer again, ms.
    private static let pause: Int64 = 5

    init(areUnsure: Bool = false, isLong: Bool = true) {
        (self.areUnsure, self.isLong) = (areUnsure, isLong)
        (waits, wait) = AsyncStream.makeStream()
    }

    func open(
        _ partition: PartitionAddress,
        whileWaiting: @escaping (Bool) -> Void
    ) throws -> any PartitionLog {
        let (shared, number) = (SharedLog(), partition.partition)
        let commits = ForwardingLog(shared.entries)
        commits.onAppend = { [silent, wait, areUnsure, isLong] entry throws(LogFault) in
            let pause = MonotonicCondition()
            var isTold = false
            while silent.withLockedValue({ $0.contains(number) }) {
                whileWaiting(isLong)
                if !isTold { wait.yield(number) }
                isTold = true
                if areUnsure { return .unknown("nobody answers") }
                // Without keeping a processor busy.
                let end = ClockReading.current().uptime + Self.pause
                pause.withLock { pause.wait(untilUptime: end) { false } }
            }
            return try shared.entries.append(entry)
        }
        return HostLog(shared, host: "here", commits: commits)
    }

    func read(_ partition: PartitionAddress, notBefore uptime: Int64) throws -> OwnerReading {
        OwnerReading(OwnerSign(epoch: 0, counter: 0, holder: .nobody), began: uptime, ended: uptime)
    }

    func quarantine(_ partition: PartitionAddress, _ why: String) throws {}
}

@Suite(.timeLimit(.minutes(5))) struct `a process whose logs do not answer` {
    private static let patience: Int64 = 120_000

    /// As many wait as may handle a batch at the same time, and one partition more.
    ///
    /// Without their turns it answers no requests, and in a long wait no heartbeats: it is killed in the end.
    @Test(arguments: [false, true])
    func `answers requests of the partitions whose logs do, and heartbeats in a long wait`(
        isLong: Bool
    ) async throws {
        let waiting = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
        let (folder, logs) = (try HostFolder(), SilentLogs(isLong: isLong))
        let host = try folder.host(NoteService<SendingRole>(), partitions: waiting + 1, logs: logs)
        let client = folder.client()
        let asked = (0...waiting).map { PartitionAddress(.orders, $0) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await host.run() }
            defer { host.stop() }
            for one in asked { _ = try await client.ask(PartitionStatusV1(), of: one, within: Self.patience) }
            try await withThrowingTaskGroup { writers in
                defer { logs.silent.withLockedValue { $0 = [] } }
                logs.silent.withLockedValue { $0 = Set(0..<waiting) }
                for one in asked.dropLast() {
                    let say = SayV1(to: .entitlements, texts: ["\(one)"])
                    writers.addTask { _ = try await client.ask(say, of: one, within: Self.patience) }
                }
                for await _ in logs.waits.prefix(waiting) {}
                _ = try await client.ask(PartitionStatusV1(), of: asked[waiting], within: Self.patience)
                guard isLong else { return }
                await withCheckedContinuation { answered in host.heartbeat { answered.resume() } }
            }
        }
    }

    /// A process that failed would end with exit code 74, and the tests with it.
    @Test func `ends when it is asked to, though nobody says what became of an entry`() async throws {
        let (folder, logs) = (try HostFolder(), SilentLogs(areUnsure: true))
        let host = try folder.host(NoteService<SendingRole>(), logs: logs)
        let client = folder.client()
        let asked = PartitionAddress(.orders, 0)
        try await withThrowingTaskGroup { group in
            group.addTask { try await host.run() }
            defer { host.stop() }
            _ = try await client.ask(PartitionStatusV1(), of: asked, within: Self.patience)
            try await withThrowingTaskGroup { writers in
                logs.silent.withLockedValue { $0 = [0] }
                writers.addTask {
                    let say = SayV1(to: .entitlements, texts: ["1"])
                    _ = try await client.ask(say, of: asked, within: 3_600_000)
                }
                for await _ in logs.waits.prefix(2) {}
                host.stop()
                try await group.next()
                #expect(host.owned.isEmpty)
                writers.cancelAll()
                do {
                    try await writers.next()
                    Issue.record("somebody was told")
                } catch is CancellationError {
                    return
                }
            }
        }
    }
}
