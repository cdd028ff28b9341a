import ArgumentParser
import LoadVerdict
import Program
import TestKit

/// `counterfoil-bench idle`: what a group costs that has nothing to do.
struct Idle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "Measures processor time and memory of a group that has nothing to do."
    )

    struct Result: Encodable {
        /// Of one core, all processes of the group together, `counterfoil up` included.
        let cpuPercent: Double
        let pssMB: Double
        let pssMBOf: [String: Double]
    }

    @Option(help: "Seconds to measure.")
    var seconds: Double = 10

    @Option(help: "Purchases before, so that every part has worked.")
    var purchases = 1_000

    @Option(help: "Seconds of rest before.")
    var rest: Double = 5

    @Option(help: "Partitions; by default as many as init makes on this machine.")
    var partitions = Configuration.partitions()

    func run() async throws {
        let result = try await TestGroup.use(partitions: partitions) { group in
            if purchases > 0 { _ = try await Load(group: group).run(purchases: purchases) }
            try await Task.sleep(for: .seconds(rest))
            return try await measure(try await group.figures())
        }
        try report(result)
    }

    private func measure(_ processes: [String: ProcessFigures]) async throws -> Result {
        let before = try processes.values.map { try $0.processorSeconds() }.reduce(0, +)
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(seconds))
        let after = try processes.values.map { try $0.processorSeconds() }.reduce(0, +)
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        let memory = try processes.mapValues { (try $0.pssBytes() / 1_000_000).tenths }
        return Result(
            cpuPercent: ((after - before) / elapsed * 10_000).rounded() / 100,
            pssMB: memory.values.max() ?? 0,
            pssMBOf: memory
        )
    }
}
