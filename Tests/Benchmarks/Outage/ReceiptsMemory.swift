import Foundation
import NIOConcurrencyHelpers
import TestKit

/// What the processes of Receipts hold in memory over time.
final class ReceiptsMemory: Sendable {
    private static let interval = Duration.seconds(1)

    private let group: TestGroup
    private let processes: NIOLockedValueBox<[ProcessFigures]>
    private let before: Double
    private let most: NIOLockedValueBox<Double>

    init(of group: TestGroup) async throws {
        self.group = group
        let found = try await Self.processes(of: group)
        processes = NIOLockedValueBox(found)
        before = try Self.megabytes(found)
        most = NIOLockedValueBox(before)
    }

    private static func processes(of group: TestGroup) async throws -> [ProcessFigures] {
        try await group.status().processes(of: "receipts").map(ProcessFigures.init)
    }

    private static func megabytes(_ processes: [ProcessFigures]) throws -> Double {
        let bytes = try processes.map { try $0.pssBytes() }.reduce(0, +)
        return (bytes / 100_000).rounded() / 10
    }

    /// Looks at the memory again and again while `body` runs.
    func sampling(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await self.sample() }
            defer { tasks.cancelAll() }
            try await body()
        }
    }

    private func sample() async throws {
        while !Task.isCancelled {
            let now = try await megabytes()
            most.withLockedValue { $0 = max($0, now) }
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    /// What they hold now; of processes that were replaced, the new ones.
    private func megabytes() async throws -> Double {
        do {
            return try Self.megabytes(processes.withLockedValue { $0 })
        } catch {
            let found = try await Self.processes(of: group)
            processes.withLockedValue { $0 = found }
            return 0
        }
    }

    /// The figures, the last of them of now.
    func result() async throws -> Outage.Result.Memory {
        Outage.Result.Memory(
            before: before,
            most: most.withLockedValue { $0 },
            after: try Self.megabytes(try await Self.processes(of: group))
        )
    }
}
