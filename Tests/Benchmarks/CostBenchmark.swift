import ArgumentParser
import LoadVerdict
import Program
import TestKit

/// `counterfoil-bench cost`: what one purchase costs, and where it waits.
struct Cost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "Prints what one purchase costs each process, and the steps of its way.",
        discussion: """
            costs: per purchase, by process and in sum. steps: the mean time from a proof's arrival to the moment \
            when a service began to handle the message, in ms. batches: means of one batch of a partition, in ms. \
            The time between two steps is the first one's handling, its commit, the wire and the queue.
            """
    )

    /// Purchases a second, or as many as possible.
    enum Rate: ExpressibleByArgument {
        case fixed(Double)
        case highest

        init?(argument: String) {
            if argument == "max" {
                self = .highest
            } else {
                guard let rate = Double(argument), rate > 0 else { return nil }
                self = .fixed(rate)
            }
        }
    }

    struct Result: Encodable {
        let purchases: Int
        let purchasesPerSecond: Double
        let p50ms: Double
        let p99ms: Double
        let costs: [String: [String: Double]]
        let batches: [String: BatchMeans]
        let steps: [CostSteps.Step]
    }

    @Option(help: "Purchases a second, or max.")
    var rate = Rate.fixed(200)

    @Option(help: "Seconds to measure.")
    var seconds: Double = 15

    @Option(help: "Seconds of the same load before.")
    var warmUp: Double = 5

    @Option(help: "Orders that are followed for the steps.")
    var followed = 100

    @Option(help: "Partitions of each service.")
    var partitions = Configuration.partitions()

    func run() async throws {
        let result = try await TestGroup.use(partitions: partitions) { group in
            let journal = group.home.folder + "/journal"
            var load = Load(group: group, buyers: 2_000, journal: journal)
            if case .fixed(let rate) = rate { load.rate = rate }
            var window: [CostFigures] = []
            // Within the load: its check of the ledgers at the end is no part of a purchase.
            let verdict = try await load.run(seconds: warmUp + seconds + 1) {
                try await Task.sleep(for: .seconds(warmUp))
                window.append(try await CostFigures(of: group))
                try await Task.sleep(for: .seconds(seconds))
                window.append(try await CostFigures(of: group))
            }
            let times = window[0].time..<window[1].time
            let purchases = try Grant.all(in: journal).count { times.contains($0.at) }
            let spent = window[1].since(window[0])
            let orders = try PaidOrder.all(in: journal).suffix(followed)
            return Result(
                purchases: purchases,
                purchasesPerSecond: (Double(purchases) / (Double(times.count) / 1_000_000)).tenths,
                p50ms: verdict.p50ms,
                p99ms: verdict.p99ms,
                costs: spent.costs(per: Double(max(purchases, 1))),
                batches: spent.batches,
                steps: try await CostSteps.mean(of: Array(orders), in: group.home)
            )
        }
        try report(result)
    }
}

/// Means of one batch of a service's partitions.
struct BatchMeans: Encodable {
    let inputs: Double
    /// All of it, the commit included, ms.
    let handlingMs: Double
    /// One COMMIT, ms.
    let commitMs: Double
}
