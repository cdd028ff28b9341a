import ArgumentParser
import Foundation
import LoadVerdict
import TestKit

/// `counterfoil-bench growth`: whether full stores are slower than empty ones, and how much a purchase takes up.
struct Growth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Compares the throughput with so many orders in the stores to that of the empty start.",
        discussion: """
            Some purchases are made and copied in the stores, under other ids and for other buyers, until there are as
            many as --orders says; some copies are read over HTTP. One partition has all of them. Then a group that
            begins with empty stores and the group with the full ones both run, and the load goes to one and to the
            other, --pairs times for a few seconds, because a machine changes its speed between minutes. The one that
            comes second in a pair comes first in the next.
            bytesPerPurchase: by how much the stores of all services together grew, after a checkpoint, for each
            StoreKit 2 purchase that was ordered, handed in and granted; bytesByService says where.
            auditSeconds: `counterfoil audit` of the full stores, before the measurements; journeyRatio: the purchases
            per second with full stores against those with empty ones, of the pairs in the middle: a machine that stands
            still for a second spoils a pair.
            """
    )

    struct Result: Encodable {
        /// Orders, each paid and granted, that the stores held before the measurements.
        let orders: Int
        let buyers: Int
        /// Of each pair.
        let emptyPerSecond: [Double]
        let fullPerSecond: [Double]
        let emptyP50ms: [Double]
        let fullP50ms: [Double]
        let ratios: [Double]
        /// Of the pairs in the middle.
        let journeyRatio: Double
        /// Time that `counterfoil audit` took with so many orders, s; what it went through and found.
        let auditSeconds: Double
        let auditDifferences: Int
        let auditedOrders: Int
        let auditedEntries: Int
        /// Time that the copies took, s.
        let fillSeconds: Double
        /// Copies that were read and had what the original has.
        let copiesRead: Int
        /// By how much the stores grew for each purchase, after a checkpoint, all together and by service.
        let bytesPerPurchase: Int
        let bytesByService: [String: Int]
        let lost: Int
        let twice: Int
    }

    private struct Filling {
        let purchases: Int
        let seconds: Double
        let bytes: [String: Int]
    }

    @Option(help: "Orders in the stores before the measurements, about.")
    var orders = 1_000_000

    @Option(help: "Purchases that are made for the copies; one buyer makes ten of them.")
    var originals = 22_000

    @Option(help: "Purchases of each measurement.")
    var purchases = 3_000

    @Option(help: "Purchases before the first measurement, so that what a group reads is in memory.")
    var warmUp = 6_000

    @Option(help: "Measurements with empty and with full stores.")
    var pairs = 8

    func validate() throws {
        let counts = [
            ("orders", orders), ("originals", originals), ("purchases", purchases), ("warm-up", warmUp),
            ("pairs", pairs),
        ]
        for (name, count) in counts where count < 1 {
            throw ValidationError("--\(name) counts from 1.")
        }
    }

    func run() async throws {
        let result = try await TestHome.use(partitions: 1) { home in
            let start = try await TestGroup.use(home: home) { group in
                try await group.down()
                return try storeBytes(home)
            }
            let journal = home.folder + "/journal"
            let originals = try await TestGroup.use(home: home) { group in
                let report = try await load(group, self.originals, journal: journal)
                try await group.down()
                return report
            }
            let filling = try await fill(home, with: originals.granted)
            let copies = filling.purchases / max(originals.granted, 1)
            let (audit, read) = try await TestGroup.use(home: home) { group in
                let orders = CopiedOrders(group: group, journal: journal, copies: copies - 1)
                let found = (try await TimedAudit(group), try await orders.read())
                try await group.down()
                return found
            }
            let (warm, measured) = try await measurePairs(full: home)
            let grown = filling.bytes.map { ($0, ($1 - (start[$0] ?? 0)) / max(filling.purchases, 1)) }
            return Result(
                orders: filling.purchases,
                buyers: Self.buyers(of: self.originals) * copies,
                emptyPerSecond: measured.map(\.empty.purchasesPerSecond),
                fullPerSecond: measured.map(\.full.purchasesPerSecond),
                emptyP50ms: measured.map(\.empty.p50ms),
                fullP50ms: measured.map(\.full.p50ms),
                ratios: measured.map(\.ratio),
                journeyRatio: measured.middleRatio,
                auditSeconds: audit.seconds,
                auditDifferences: audit.differences,
                auditedOrders: audit.orders,
                auditedEntries: audit.entries,
                fillSeconds: filling.seconds,
                copiesRead: read,
                bytesPerPurchase: grown.map(\.1).reduce(0, +),
                bytesByService: Dictionary(uniqueKeysWithValues: grown),
                lost: originals.lost + ([warm] + measured).map(\.lost).reduce(0, +),
                twice: originals.twice + ([warm] + measured).map(\.twice).reduce(0, +)
            )
        }
        try report(result)
        if result.auditDifferences > 0 { throw ExitCode(1) }
    }

    /// So many buyers that each makes ten purchases.
    private static func buyers(of purchases: Int) -> Int { max(purchases / 10, 2) }

    /// A group with empty stores and the one with full stores, in turn.
    private func measurePairs(
        full home: TestHome
    ) async throws -> (warmUp: MeasuredPair, measured: [MeasuredPair]) {
        try await TestHome.use(partitions: 1) { fresh in
            try await TestGroup.use(home: fresh) { empty in
                try await TestGroup.use(home: home) { full in
                    let warm = try await measure(empty, full, warmUp)
                    let measured = try await measurePairs(empty, full)
                    try await full.down()
                    return (warm, measured)
                }
            }
        }
    }

    private func measurePairs(_ empty: TestGroup, _ full: TestGroup) async throws -> [MeasuredPair] {
        var measured: [MeasuredPair] = []
        for pair in 1...pairs {
            let both = try await measure(empty, full, purchases, isFullFirst: pair % 2 == 0)
            measured.append(both)
            FileHandle.standardError.write(Data("growth: pair \(pair) of \(pairs): \(both.ratio)\n".utf8))
        }
        return measured
    }

    /// The same load for both, for one after the other.
    private func measure(
        _ empty: TestGroup,
        _ full: TestGroup,
        _ purchases: Int,
        isFullFirst: Bool = false
    ) async throws -> MeasuredPair {
        if isFullFirst {
            let report = try await load(full, purchases)
            return MeasuredPair(empty: try await load(empty, purchases), full: report)
        }
        return MeasuredPair(empty: try await load(empty, purchases), full: try await load(full, purchases))
    }

    private func load(
        _ group: TestGroup,
        _ purchases: Int,
        journal: String? = nil
    ) async throws -> LoadReport {
        try await Load(group: group, buyers: Self.buyers(of: purchases), journal: journal)
            .run(purchases: purchases)
    }

    /// Copies the purchases that a resting group made until there are enough.
    private func fill(_ home: TestHome, with made: Int) async throws -> Filling {
        let start = ContinuousClock.now
        let copies = max(0, (orders + made - 1) / max(made, 1) - 1)
        try await StoreCopies(home: home, count: copies).make()
        return Filling(
            purchases: made * (copies + 1),
            seconds: ((ContinuousClock.now - start) / .seconds(1)).rounded(),
            bytes: try storeBytes(home)
        )
    }

    /// Bytes of the stores of all services, by service, after the group's end: whatever closes a store checkpoints it.
    private func storeBytes(_ home: TestHome) throws -> [String: Int] {
        let sizes = try Paths.matching(home.root + "/data/*/*").map { path in
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return (URL(filePath: path).deletingLastPathComponent().lastPathComponent, size ?? 0)
        }
        return Dictionary(sizes, uniquingKeysWith: +)
    }
}
