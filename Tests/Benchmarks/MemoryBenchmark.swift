import ArgumentParser
import LoadVerdict
import Program
import TestKit

/// `counterfoil-bench memory`: whether processes grow with what they have done.
struct Memory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Compares the memory of each process after some purchases with that after many more.",
        discussion: "Memory is PSS: what several processes share counts in part."
    )

    struct Result: Encodable {
        let purchasesBefore: Int
        let purchasesAfter: Int
        let beforeMB: [String: Double]
        let afterMB: [String: Double]
        let ratioOf: [String: Double]
        /// The largest of them.
        let ratio: Double
        let lost: Int
        let twice: Int
    }

    @Option(help: "Purchases before the first look.")
    var first = 10_000

    @Option(help: "Purchases before the second look, those before the first included.")
    var purchases = 100_000

    @Option(help: "Partitions; by default as many as init makes on this machine.")
    var partitions = Configuration.partitions()

    func run() async throws {
        let result = try await TestGroup.use(partitions: partitions) { group in
            let few = try await Load(group: group).run(purchases: first)
            let before = try await group.memoryMB()
            let many = try await Load(group: group).run(purchases: max(1, purchases - first))
            let after = try await group.memoryMB()
            let ratios = before.merging(after) { ($1 / $0 * 1_000).rounded() / 1_000 }
            return Result(
                purchasesBefore: few.purchases,
                purchasesAfter: few.purchases + many.purchases,
                beforeMB: before,
                afterMB: after,
                ratioOf: ratios,
                ratio: ratios.values.max() ?? 0,
                lost: few.lost + many.lost,
                twice: few.twice + many.twice
            )
        }
        try report(result)
    }
}

extension TestGroup {
    /// The figures of every process of the group, `up` included.
    func figures() async throws -> [String: ProcessFigures] {
        var figures = ["up": ProcessFigures(pid: up.pid)]
        for service in try await status().services {
            for replica in service.replicas {
                guard let pid = replica.pid else { continue }
                figures["\(service.service).\(replica.replica)"] = ProcessFigures(pid: pid)
            }
        }
        return figures
    }

    /// PSS of every process, in MB.
    fileprivate func memoryMB() async throws -> [String: Double] {
        try await figures().mapValues { (try $0.pssBytes() / 1_000_000).tenths }
    }
}
