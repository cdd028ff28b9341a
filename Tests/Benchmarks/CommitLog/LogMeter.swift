import Foundation
import TestKit

/// What a group's log has taken since the measurement began, and what it holds.
struct LogMeter {
    private let servers: PostgreSQLServers
    private let home: TestHome
    /// Positions up to which the entries of each partition are counted.
    private var counted: [String: Int] = [:]
    /// Entries that were appended since the beginning.
    private(set) var entries = 0
    /// Their bytes; what was pruned before it was seen counts as the mean of what was seen with it.
    private(set) var entryBytes = 0.0
    private(set) var keptEntries = 0
    /// Entries that were there once, those from before the beginning included.
    private(set) var prunedEntries = 0
    /// All that the primary has ever written.
    private(set) var walBytes = 0
    private(set) var tableBytes: [String: Int] = [:]
    private(set) var snapshots = 0
    private(set) var snapshotBytes = 0
    private(set) var storeBytes = 0

    var allTableBytes: Int { tableBytes.values.reduce(0, +) }

    /// Begins to count.
    init(_ servers: PostgreSQLServers, home: TestHome) async throws {
        (self.servers, self.home) = (servers, home)
        for row in try await servers.rows(of: Self.heads) { counted[row[0]] = try Self.number(row, 1) }
        try await readSizes()
    }

    private static let heads = """
        SELECT name, (SELECT max(position) FROM counterfoil_entry WHERE partition = name)
        FROM counterfoil_partition
        """
    private static let tables = """
        SELECT relname, pg_total_relation_size(oid) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND starts_with(relname, 'counterfoil_')
        """
    private static let totals = """
        SELECT pg_current_wal_lsn() - '0/0'::pg_lsn,
            (SELECT count(*) FROM counterfoil_snapshot), (SELECT coalesce(sum(size), 0) FROM counterfoil_snapshot)
        """

    /// Looks again.
    mutating func update() async throws {
        try await countEntries()
        try await readSizes()
    }

    /// Positions follow each other without a gap, so the last one says how many there were.
    private mutating func countEntries() async throws {
        let known = counted.sorted { $0.key < $1.key }.map { "('\($0.key)', \($0.value))" }
        let rows = try await servers.rows(
            of: """
                SELECT name, head, first, count(entry.position), coalesce(sum(length(entry.bytes)), 0)
                FROM (SELECT name, counted,
                        (SELECT max(position) FROM counterfoil_entry WHERE partition = name) AS head,
                        (SELECT min(position) FROM counterfoil_entry WHERE partition = name) AS first
                    FROM (VALUES \(known.joined(separator: ", "))) AS known (name, counted)) AS place
                LEFT JOIN counterfoil_entry AS entry
                    ON entry.partition = name AND entry.position > counted AND entry.position <= head
                GROUP BY name, head, first
                """
        )
        (keptEntries, prunedEntries) = (0, 0)
        for row in rows {
            let (head, first) = (try Self.number(row, 1), try Self.number(row, 2))
            let (seen, bytes) = (try Self.number(row, 3), try Self.number(row, 4))
            let appended = head - (counted[row[0]] ?? 0)
            counted[row[0]] = head
            entries += appended
            entryBytes += Double(bytes) / Double(max(seen, 1)) * Double(appended)
            keptEntries += head - first + 1
            prunedEntries += first
        }
    }

    private mutating func readSizes() async throws {
        tableBytes = [:]
        for row in try await servers.rows(of: Self.tables) { tableBytes[row[0]] = try Self.number(row, 1) }
        for row in try await servers.rows(of: Self.totals) {
            walBytes = try Self.number(row, 0)
            (snapshots, snapshotBytes) = (try Self.number(row, 1), try Self.number(row, 2))
        }
        storeBytes = try Paths.matching(home.root + "/data/*/*.sqlite").reduce(0) { sum, path in
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return sum + (size ?? 0)
        }
    }

    private static func number(_ row: [String], _ column: Int) throws -> Int {
        guard row.indices.contains(column), let number = Int(row[column]) else {
            throw HarnessFault("PostgreSQL says \(row)")
        }
        return number
    }
}
