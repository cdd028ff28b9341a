import ArgumentParser
import LoadVerdict
import Program
import TestKit

/// `counterfoil-bench journey`: purchases over HTTP, from the order to the answer that says granted.
struct Journey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journey",
        abstract:
            "Makes purchases as fast as possible, or at a rate, and says how fast they were granted."
    )

    @Flag(help: "Run at half of the highest rate, which is measured first unless --rate names it.")
    var halfRate = false

    @Option(help: "Purchases a second; with --half-rate the highest rate, of which half is run.")
    var rate: Double?

    @Option(help: "Seconds to measure.")
    var seconds: Double = 20

    @Option(help: "Seconds of the same load before.")
    var warmUp: Double = 5

    @Option(help: "How many buyers.")
    var buyers = 2_000

    @Option(help: "Most customers at a time; the more there are, the more share a commit.")
    var concurrency = 1_024

    @Option(help: "Replicas of each service.")
    var replicas = 1

    @Option(help: "Partitions of each service.")
    var partitions = Configuration.partitions()

    @Flag(
        help:
            "Phones issue orders and hand proofs in with tokens of their own, rather than with the app's key."
    )
    var phoneTokens = false

    @Option(help: "What keeps commits: sqlite, or postgresql with a synchronous standby, which are started.")
    var store = StoreEngine.sqlite

    func validate() throws {
        guard rate ?? 1 > 0 else { throw ValidationError("--rate must be more than 0.") }
    }

    func run() async throws {
        let result = try await store.use { url in try await measure(store: url) }
        try report(result)
        if result.lost + result.twice + result.wrongBuyer + result.finishTooEarly > 0 { throw ExitCode(1) }
    }

    private func measure(store: String?) async throws -> LoadReport {
        try await TestGroup.use(replicas: replicas, partitions: partitions, store: store) { group in
            var load = Load(group: group, buyers: buyers, concurrency: concurrency)
            load.usesPhoneTokens = phoneTokens
            if rate == nil { _ = try await load.run(seconds: warmUp) }
            load.rate = try await chosenRate(with: load)
            if load.rate != nil { _ = try await load.run(seconds: warmUp) }
            var report = try await load.run(seconds: seconds)
            report.rate = load.rate
            return report
        }
    }

    /// Nil is as many as possible.
    private func chosenRate(with load: Load) async throws -> Double? {
        guard halfRate else { return rate }
        if let rate { return rate / 2 }
        return try await load.run(seconds: seconds / 2).purchasesPerSecond / 2
    }
}
