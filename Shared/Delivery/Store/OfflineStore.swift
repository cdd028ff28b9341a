package import Contracts
import Database
import FoundationEssentials

/// A partition's store while no owner runs it: a copy, or one whose lock the caller holds.
package struct OfflineStore {
    /// What a store says of itself.
    package struct Contents: Codable, Equatable, Sendable {
        package let epoch: Int64
        /// The last migration of each part of its schema.
        package let schemas: [String: Int]
        /// How many rows each table has.
        package let rows: [String: Int]
        /// The incarnation of each link, by the partition that it leads to; see `links`.
        package let links: [String: String]
    }

    /// Why a store cannot be used.
    package struct Fault: Error, CustomStringConvertible {
        package let path: String
        let problem: any Error

        package var description: String {
            switch problem {
            case StoreError.replaced(let what), StoreError.damaged(let what), StoreError.failed(let what):
                what
            case StoreError.full: "\(path): the disk is full"
            default: "\(path): \(problem)"
            }
        }
    }

    private let path: String
    private let store: SQLiteDatabase

    /// Where its owner puts the copy of the store at `path`.
    package static func copy(of path: String) -> String { path + ".copy" }

    /// Where a backup's copy lies until it takes the place of the store at `path`.
    package static func restored(of path: String) -> String { path + ".restored" }

    /// Opens the store at `path`.
    ///
    /// - Throws: `Fault` when there is none, or it is another partition's.
    package init(path: String, of wanted: PartitionIdentity) throws(Fault) {
        self.path = path
        do {
            guard FileManager.default.fileExists(atPath: path) else {
                throw StoreError.failed("\(path) is missing")
            }
            store = try SQLiteDatabase(path: path)
            try store.raiseFence(label: wanted.label)
            guard let found = try PartitionIdentity.recorded(in: store) else {
                throw StoreError.damaged("\(path) is no partition's store")
            }
            try wanted.accept(found)
        } catch {
            throw Fault(path: path, problem: error)
        }
    }

    /// Closes the store; then its file alone is whole.
    package func close() throws(Fault) { try attempt { try store.close() } }

    private func attempt<Value>(_ body: () throws -> Value) throws(Fault) -> Value {
        do { return try body() } catch { throw Fault(path: path, problem: error) }
    }

    private func transaction<Value>(_ body: (any Connection) throws -> Value) throws(Fault) -> Value {
        try attempt { try store.write(body) }
    }

    /// Reads the whole store.
    ///
    /// - Throws: `Fault` when a page, an index or a constraint is not as it must be.
    package func verified() throws(Fault) -> Contents {
        try transaction { connection in
            let report: [String] = try connection.rows("PRAGMA integrity_check", []).map { try $0[0] }
            guard report == ["ok"] else { throw StoreError.damaged(report.joined(separator: "; ")) }
            let schemas = try connection.rows("SELECT name, number FROM schema_version", [])
            let tables: [String] = try connection.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                []
            ).map { try $0[0] }
            return Contents(
                epoch: try connection.value("SELECT epoch FROM partition_owner") ?? 0,
                schemas: try schemas.reduce(into: [:]) { $0[try $1["name"]] = try $1["number"] as Int },
                rows: try tables.reduce(into: [:]) { rows, table in
                    rows[table] = try connection.value("SELECT COUNT(*) FROM \(raw: table)") ?? 0
                },
                links: try Self.links(connection)
            )
        }
    }

    /// The incarnation of each link, by the partition that it leads to: a store that was made anew has others.
    package func links() throws(Fault) -> [String: String] { try transaction(Self.links) }

    private static func links(_ connection: any Connection) throws -> [String: String] {
        let links = try DeliveryStore(connection: connection).links()
        return links.reduce(into: [:]) { $0[$1.target.description] = $1.incarnation }
    }

    /// The texts in the only column of a query's rows.
    package func texts(_ query: String) throws(Fault) -> Set<String> {
        try transaction { Set(try $0.rows(query, []).map { try $0[0] as String }) }
    }

    /// Begins links to other partitions anew, and has the next owner send every current state over them again.
    ///
    /// - Returns: the partitions that these links lead to.
    package func redrive(
        to isTarget: (PartitionAddress) -> Bool,
        now: Timestamp
    ) throws(Fault) -> [PartitionAddress] {
        try transaction { try Self.redrive($0, to: isTarget, now: now) }
    }

    /// Notes that the store comes from a backup: what it has lost is on its way for a while, and no commit log leads
    /// to it.
    package func markRestored(at now: Timestamp) throws(Fault) {
        try transaction { connection in
            try LogFollower.forget(connection)
            try RestoredStore(connection: connection).mark(at: now)
        }
    }

    static func redrive(
        _ connection: any Connection,
        to isTarget: (PartitionAddress) -> Bool,
        now: Timestamp
    ) throws -> [PartitionAddress] {
        let delivery = DeliveryStore(connection: connection)
        let links = try delivery.links().filter { isTarget($0.target) }
        for link in links {
            let (incarnation, request) = (IdentifierSource.eventID(), IdentifierSource.eventID())
            _ = try delivery.beginIncarnation(link.link, incarnation: incarnation.rawValue)
            try RedriveStore(connection: connection)
                .begin(.init(link: link.link, requestID: request, startedAt: now))
        }
        return links.map(\.target)
    }
}
