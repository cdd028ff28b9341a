import ArgumentParser
import LoadVerdict

/// `counterfoil-bench growth`: whether full stores are slower than empty ones.
struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Compares the throughput with so many orders in the stores to that of the empty start."
    )

    /// What was measured.
    struct Result: Encodable {
        /// Orders, each paid and granted, that the stores held before the second measurement.
        let orders: Int
        let emptyPerSecond: Double
        let fullPerSecond: Double
        let ratio: Double
        let lost: Int
        let twice: Int
    }

    @Option(help: "Orders to fill the stores with; every one is bought over HTTP.")
    var orders = 1_000_000

    @Option(help: "Seconds of each measurement.")
    var seconds: Double = 20

    @Option(help: "Seconds of the same load before the first.")
    var warmUp: Double = 5

    func run() throws {
        let result = try BenchmarkGroup.run { group in
            let load = Load(group: group)
            let warm = try load.run(seconds: warmUp)
            let empty = try load.run(seconds: seconds)
            let missing = orders - warm.granted - empty.granted
            let filled = missing > 0 ? [try load.run(purchases: missing)] : []
            let full = try load.run(seconds: seconds)
            let before = [warm, empty] + filled
            return Result(
                orders: before.map(\.granted).reduce(0, +),
                emptyPerSecond: empty.purchasesPerSecond,
                fullPerSecond: full.purchasesPerSecond,
                ratio: (full.purchasesPerSecond / empty.purchasesPerSecond * 1_000).rounded() / 1_000,
                lost: (before + [full]).map(\.lost).reduce(0, +),
                twice: (before + [full]).map(\.twice).reduce(0, +)
            )
        }
        try report(result)
    }
}
