import LoadVerdict
import TestKit

/// What the processes of Receipts hold in memory, in megabytes.
struct ReceiptsMemory {
    private static let interval = Duration.seconds(1)

    let group: TestGroup

    /// What they hold now.
    func now() async throws -> Double { try Self.megabytes(await processes()) }

    /// The most that they hold while `body` runs.
    func most(while body: () async throws -> Void) async throws -> Double {
        try await withThrowingTaskGroup(of: Double.self) { tasks in
            tasks.addTask { try await sample() }
            try await body()
            tasks.cancelAll()
            return try await tasks.next() ?? 0
        }
    }

    private func sample() async throws -> Double {
        var processes = try await processes()
        var most = 0.0
        while !Task.isCancelled {
            do {
                most = max(most, try Self.megabytes(processes))
            } catch {
                // One of them was replaced.
                processes = try await self.processes()
            }
            do { try await Task.sleep(for: Self.interval) } catch { break }
        }
        return most
    }

    private func processes() async throws -> [ProcessFigures] {
        try await group.status().processes(of: "receipts").map(ProcessFigures.init)
    }

    private static func megabytes(_ processes: [ProcessFigures]) throws -> Double {
        try processes.map { try $0.pssBytes() / 1_000_000 }.reduce(0, +).tenths
    }
}
