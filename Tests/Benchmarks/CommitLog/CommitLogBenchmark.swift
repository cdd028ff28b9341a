import ArgumentParser
import Foundation
import LoadVerdict
import Program
import TestKit

/// `counterfoil-bench commit-log`: what PostgreSQL writes and holds for a purchase.
struct CommitLogSize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit-log",
        abstract: "Makes purchases, and says what PostgreSQL writes and holds of them as commit log.",
        discussion: """
            The log is in a PostgreSQL with a synchronous standby, which are started. entryBytesPerPurchase: the row \
            changes of batches, as their owners append them. walBytesPerPurchase: all that the primary writes into \
            its WAL: entries, snapshots, renewals, indexes, and whole pages after a checkpoint. \
            tableBytesPerPurchase: by how much the log's tables have grown in the end.
            samples: while the load runs, and at last; tableBytes are those of all tables of the log, with their \
            indexes and with what autovacuum has not made free. An owner begins a snapshot once 64 MiB of entries, \
            or four times its store, have come since the last one, and prunes below the older of two: so what is \
            kept is bounded by storeBytes, the size of all stores.
            """
    )

    struct Result: Encodable {
        /// Granted; of them is counted what is said per purchase.
        let purchases: Int
        let purchasesPerSecond: Double
        let entriesPerPurchase: Double
        let meanEntryBytes: Double
        let entryBytesPerPurchase: Int
        let walBytesPerPurchase: Int
        let tableBytesPerPurchase: Int
        /// Of all tables together, in the sample that had most.
        let largestTableBytes: Int
        /// In the end, by table.
        let tableBytes: [String: Int]
        let prunedEntries: Int
        let samples: [LogSample]
        let lost: Int
        let twice: Int
    }

    @Option(help: "How many purchases.")
    var purchases = 20_000

    @Option(help: "Purchases between two samples.")
    var every = 5_000

    @Option(help: "Purchases a second; as many as possible without it.")
    var rate: Double?

    @Option(help: "Most customers at a time; the more there are, the more share an entry.")
    var concurrency = 128

    @Option(help: "How many buyers.")
    var buyers = 2_000

    @Option(help: "Partitions of each service.")
    var partitions = Configuration.partitions()

    func validate() throws {
        guard purchases > 0, every > 0, rate ?? 1 > 0 else {
            throw ValidationError("--purchases and --every count from 1, and --rate is more than 0.")
        }
    }

    func run() async throws {
        let result = try await PostgreSQLServers.use { servers in
            try await TestGroup.use(partitions: partitions, store: servers.url) { group in
                try await measure(servers, group)
            }
        }
        try report(result)
        if result.lost + result.twice > 0 { throw ExitCode(1) }
    }

    private func measure(_ servers: PostgreSQLServers, _ group: TestGroup) async throws -> Result {
        let journal = group.home.folder + "/journal"
        let load = Load(
            group: group,
            buyers: buyers,
            concurrency: concurrency,
            rate: rate,
            journal: journal
        )
        let start = try await LogMeter(servers, home: group.home)
        var watch = LogWatch(meter: start, grants: GrantCount(journal: journal), every: every)
        let verdict = try await load.run(purchases: purchases) { load in
            try await watch.run { load.end == nil }
        }
        let end = try await watch.finish(purchases: verdict.granted)
        let purchases = Double(max(verdict.granted, 1))
        return Result(
            purchases: verdict.granted,
            purchasesPerSecond: verdict.purchasesPerSecond.tenths,
            entriesPerPurchase: (Double(end.entries) / purchases * 1_000).rounded() / 1_000,
            meanEntryBytes: (end.entryBytes / Double(max(end.entries, 1))).tenths,
            entryBytesPerPurchase: Int(end.entryBytes / purchases),
            walBytesPerPurchase: Int(Double(end.walBytes - start.walBytes) / purchases),
            tableBytesPerPurchase: Int(Double(end.allTableBytes - start.allTableBytes) / purchases),
            largestTableBytes: watch.samples.map(\.tableBytes).max() ?? 0,
            tableBytes: end.tableBytes,
            prunedEntries: end.prunedEntries,
            samples: watch.samples,
            lost: verdict.lost,
            twice: verdict.twice
        )
    }
}
