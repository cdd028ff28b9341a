import ArgumentParser
import LoadVerdict
import TestKit

/// `counterfoil-bench reads`: what a request costs that commits nothing, beside one that asks nobody.
struct Reads: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reads",
        abstract: "Reads ledgers over HTTP, and /livez in the same run, over and over on some connections."
    )

    struct Result: Encodable {
        let connections: Int
        /// Means of the rounds.
        let entitlementsPerSecond: Double
        let livezPerSecond: Double
        let ratio: Double
    }

    @Option(help: "Connections, each with one request at a time.")
    var connections = 64

    @Option(help: "Seconds of each measurement.")
    var seconds: Double = 3

    @Option(help: "How often both are measured, in turn.")
    var rounds = 3

    @Option(help: "Buyers who have a ledger.")
    var buyers = 200

    func run() async throws {
        let result = try await TestGroup.use(partitions: 1) { group in
            let ledgers = try await self.ledgers(of: group)
            _ = try await rate(of: ledgers, group, seconds: 1)
            var (reads, lives) = (0.0, 0.0)
            for _ in 0..<rounds {
                lives += try await rate(of: ["/livez"], group, seconds: seconds)
                reads += try await rate(of: ledgers, group, seconds: seconds)
            }
            return Result(
                connections: connections,
                entitlementsPerSecond: (reads / Double(rounds)).rounded(),
                livezPerSecond: (lives / Double(rounds)).rounded(),
                ratio: (reads / lives * 1_000).rounded() / 1_000
            )
        }
        try report(result)
    }

    /// Paths of the ledgers of buyers who have bought something.
    private func ledgers(of group: TestGroup) async throws -> [String] {
        let journal = group.home.folder + "/journal"
        _ = try await Load(group: group, buyers: buyers, journal: journal).run(purchases: buyers)
        return Set(try PaidOrder.all(in: journal).map(\.owner)).map { "/v1/buyers/\($0)/entitlements" }
    }

    /// Answers a second to requests for these paths in turn.
    private func rate(of paths: [String], _ group: TestGroup, seconds: Double) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let answers = try await withThrowingTaskGroup { tasks in
            for connection in 0..<connections {
                tasks.addTask(executorPreference: group.gateway.executor) {
                    var answers = 0
                    while clock.now < end {
                        let path = paths[(connection + answers) % paths.count]
                        let reply = try await group.gateway.get(path)
                        guard reply.isPositive else {
                            throw HarnessFault("\(path): \(reply.status) \(reply.text)")
                        }
                        answers += 1
                    }
                    return answers
                }
            }
            return try await tasks.reduce(0, +)
        }
        return Double(answers) / ((clock.now - start) / .seconds(1))
    }
}
