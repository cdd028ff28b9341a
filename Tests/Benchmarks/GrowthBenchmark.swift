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
            The purchases of the first measurement are copied in the stores, under other ids and for other buyers, until
            there are as many as --orders says; some copies are read over HTTP. One partition has all of them.
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

    @Option(help: "Orders in the stores before the second measurement, about.")
    var orders = 1_000_000

    @Option(help: "Seconds of each measurement.")
    var seconds: Double = 20

    @Option(help: "Seconds of the same load before each.")
    var warmUp: Double = 5

    func run() async throws {
        let result = try await TestHome.use(partitions: 1) { home in
            let start = try await TestGroup.use(home: home) { try await restingStoreBytes($0) }
            let journal = home.folder + "/journal"
            let (warm, empty) = try await TestGroup.use(home: home) { group in
                let warm = try await Load(group: group).run(seconds: warmUp)
                let empty = try await Load(group: group, journal: journal).run(seconds: seconds)
                try await group.down()
                return (warm, empty)
            }
            let made = warm.granted + empty.granted
            let filling = try await fill(home, with: made)
            return try await TestGroup.use(home: home) { group in
                let again = try await Load(group: group).run(seconds: warmUp)
                let full = try await Load(group: group).run(seconds: seconds)
                let copies = CopiedOrders(
                    group: group,
                    journal: journal,
                    copies: filling.purchases / max(made, 1) - 1
                )
                let grown = filling.bytes.map { ($0, ($1 - (start[$0] ?? 0)) / max(filling.purchases, 1)) }
                return Result(
                    orders: filling.purchases + again.granted,
                    emptyPerSecond: empty.purchasesPerSecond,
                    fullPerSecond: full.purchasesPerSecond,
                    ratio: (full.purchasesPerSecond / empty.purchasesPerSecond * 1_000).rounded() / 1_000,
                    fillSeconds: filling.seconds,
                    copiesRead: try await copies.read(),
                    bytesPerPurchase: grown.map(\.1).reduce(0, +),
                    bytesByService: Dictionary(uniqueKeysWithValues: grown),
                    lost: [warm, empty, again, full].map(\.lost).reduce(0, +),
                    twice: [warm, empty, again, full].map(\.twice).reduce(0, +)
                )
            }
        }
        try report(result)
    }

    /// Copies the purchases that a resting group made until there are enough.
    private func fill(_ home: TestHome, with made: Int) async throws -> Filling {
        let start = ContinuousClock.now
        let copies = max(0, (orders - made) / max(made, 1))
        try await StoreCopies(home: home, count: copies).make()
        return Filling(
            purchases: made * (copies + 1),
            seconds: ((ContinuousClock.now - start) / .seconds(1)).rounded(),
            bytes: try storeBytes(home)
        )
    }

    /// Bytes of the stores of all services, by service, after the group's end: whatever closes a store checkpoints it.
    private func restingStoreBytes(_ group: TestGroup) async throws -> [String: Int] {
        try await group.down()
        return try storeBytes(group.home)
    }

    private func storeBytes(_ home: TestHome) throws -> [String: Int] {
        let sizes = try Paths.matching(home.root + "/data/*/*").map { path in
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return (URL(filePath: path).deletingLastPathComponent().lastPathComponent, size ?? 0)
        }
        return Dictionary(sizes, uniquingKeysWith: +)
    }
}
