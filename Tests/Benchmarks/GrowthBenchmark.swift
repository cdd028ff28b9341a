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
            bytesPerPurchase: by how much the stores of all services together grew, after a checkpoint, for each
            StoreKit 2 purchase that was ordered, handed in and granted; bytesByService says where.
            """
    )

    struct Result: Encodable {
        /// Orders, each paid and granted, that the stores held before the second measurement.
        let orders: Int
        let emptyPerSecond: Double
        let fullPerSecond: Double
        let ratio: Double
        /// By how much the stores grew for each purchase, after a checkpoint, all together and by service.
        let bytesPerPurchase: Int
        let bytesByService: [String: Int]
        let lost: Int
        let twice: Int
    }

    @Option(help: "Orders to fill the stores with; every one is bought over HTTP.")
    var orders = 1_000_000

    @Option(help: "Seconds of each measurement.")
    var seconds: Double = 20

    @Option(help: "Seconds of the same load before the first.")
    var warmUp: Double = 5

    func run() async throws {
        let result = try await TestHome.use(partitions: 4) { home in
            let start = try await TestGroup.use(home: home) { try await restingStoreBytes($0) }
            let (before, full, end) = try await TestGroup.use(home: home) { group in
                let load = Load(group: group)
                let warm = try await load.run(seconds: warmUp)
                let empty = try await load.run(seconds: seconds)
                let missing = orders - warm.granted - empty.granted
                let filled = missing > 0 ? [try await load.run(purchases: missing)] : []
                let full = try await load.run(seconds: seconds)
                return ([warm, empty] + filled, full, try await restingStoreBytes(group))
            }
            let granted = (before + [full]).map(\.granted).reduce(0, +)
            let grown = end.map { ($0, ($1 - (start[$0] ?? 0)) / max(granted, 1)) }
            let empty = before[1]
            return Result(
                orders: before.map(\.granted).reduce(0, +),
                emptyPerSecond: empty.purchasesPerSecond,
                fullPerSecond: full.purchasesPerSecond,
                ratio: (full.purchasesPerSecond / empty.purchasesPerSecond * 1_000).rounded() / 1_000,
                bytesPerPurchase: grown.map(\.1).reduce(0, +),
                bytesByService: Dictionary(uniqueKeysWithValues: grown),
                lost: (before + [full]).map(\.lost).reduce(0, +),
                twice: (before + [full]).map(\.twice).reduce(0, +)
            )
        }
        try report(result)
    }

    /// Bytes of the stores of all services, by service, after the group's end: whatever closes a store checkpoints it.
    private func restingStoreBytes(_ group: TestGroup) async throws -> [String: Int] {
        try await group.down()
        let sizes = try Paths.matching(group.home.root + "/data/*/*").map { path in
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return (URL(filePath: path).deletingLastPathComponent().lastPathComponent, size ?? 0)
        }
        return Dictionary(sizes, uniquingKeysWith: +)
    }
}
