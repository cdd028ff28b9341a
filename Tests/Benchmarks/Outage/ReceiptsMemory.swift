import LoadVerdict
import TestKit

/// What the processes of Receipts hold in memory over time, in megabytes.
actor ReceiptsMemory {
    private static let interval = Duration.seconds(1)

    private let group: TestGroup
    private var processes: [ProcessFigures]
    private let before: Double
    private var most: Double

    init(of group: TestGroup) async throws {
        self.group = group
        processes = try await Self.processes(of: group)
        before = try Self.megabytes(processes)
        most = before
    }

    private static func processes(of group: TestGroup) async throws -> [ProcessFigures] {
        try await group.status().processes(of: "receipts").map(ProcessFigures.init)
    }

    private static func megabytes(_ processes: [ProcessFigures]) throws -> Double {
        try processes.map { try $0.pssBytes() / 1_000_000 }.reduce(0, +).tenths
    }

    /// Looks at the memory again and again while `body` runs.
    nonisolated func sampling(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await self.sample() }
            defer { tasks.cancelAll() }
            try await body()
        }
    }

    private func sample() async throws {
        while !Task.isCancelled {
            do {
                most = max(most, try Self.megabytes(processes))
            } catch {
                // One of them was replaced.
                processes = try await Self.processes(of: group)
            }
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }

    /// The figures, the last of them of now.
    func result() async throws -> Outage.Result.Memory {
        let after = try Self.megabytes(try await Self.processes(of: group))
        return Outage.Result.Memory(before: before, most: most, after: after)
    }
}
