import AppStoreSigning
import ArgumentParser
import Contracts
import Foundation
import TestKit

/// `counterfoil-bench reads`: what a request costs that commits nothing, beside one that asks nobody.
struct Reads: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reads",
        abstract: "Reads entitlements, subscriptions and /livez over HTTP, in turn, on some connections."
    )

    struct Result: Encodable {
        let connections: Int
        /// Means of the rounds.
        let entitlementsPerSecond: Double
        let subscriptionsPerSecond: Double
        let livezPerSecond: Double
        /// Entitlements to /livez.
        let ratio: Double
        /// Subscriptions to entitlements.
        let subscriptionsRatio: Double
    }

    @Option(help: "Connections, each with one request at a time.")
    var connections = 64

    @Option(help: "Seconds of each measurement.")
    var seconds: Double = 3

    @Option(help: "How often each is measured, in turn.")
    var rounds = 3

    @Option(help: "Buyers who have coins, and as many others who have a subscription.")
    var buyers = 200

    func run() async throws {
        let result = try await TestGroup.use(partitions: 1) { group in
            let ledgers = try await self.ledgers(of: group)
            let chains = try await subscriptions(in: group)
            _ = try await rate(of: ledgers + chains, group, seconds: 1)
            var (reads, subscriptions, lives) = (0.0, 0.0, 0.0)
            for _ in 0..<rounds {
                lives += try await rate(of: ["/livez"], group, seconds: seconds)
                reads += try await rate(of: ledgers, group, seconds: seconds)
                subscriptions += try await rate(of: chains, group, seconds: seconds)
            }
            return Result(
                connections: connections,
                entitlementsPerSecond: (reads / Double(rounds)).rounded(),
                subscriptionsPerSecond: (subscriptions / Double(rounds)).rounded(),
                livezPerSecond: (lives / Double(rounds)).rounded(),
                ratio: Self.thousandths(reads / lives),
                subscriptionsRatio: Self.thousandths(subscriptions / reads)
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

    /// Paths of the subscriptions of buyers who have bought one each.
    private func subscriptions(in group: TestGroup) async throws -> [String] {
        let catalog = TestHome.catalog(with: TestHome.month)
        try Data(catalog.utf8).write(to: URL(filePath: group.home.root + "/catalog.json"))
        try await group.home.counterfoil("catalog", "load").succeeded()
        var paths: [String] = []
        for number in 0..<buyers {
            let buyer = "subscriber-\(number)"
            let proof = try group.home.signer.sign(transaction: Self.period())
            _ = try await eventually("\(buyer) has a subscription", within: .seconds(30)) {
                let answer = try await group.gateway.submit(buyer, proof: proof).json(VerdictAnswer.self)
                return answer.isGranted
            }
            paths.append("/v1/buyers/\(buyer)/subscriptions")
        }
        return paths
    }

    /// The first period of a subscription, which has begun and goes on for a month.
    private static func period() -> SignedTransaction {
        var form = SimulatedPurchase(bundleId: TestHome.bundleID, productId: "vip.month")
        form.type = "Auto-Renewable Subscription"
        var period = form.transaction(at: .now())
        period.webOrderLineItemId = period.transactionId
        period.expiresDate = period.purchaseDate + 30 * 86_400_000
        return period
    }

    private static func thousandths(_ ratio: Double) -> Double { (ratio * 1_000).rounded() / 1_000 }

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
