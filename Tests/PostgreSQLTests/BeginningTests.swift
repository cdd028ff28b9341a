import Database
import Foundation
import Testing

@testable import PostgreSQL

extension RealServers {
    /// A store that no log has made goes into one, whatever happens to the servers meanwhile.
    @Suite struct `the beginning of a log in PostgreSQL` {
        private static let notes = 400

        private let cluster: Cluster
        private let servers: (primary: Server, standby: Server)
        private let store: SQLiteDatabase

        init() throws {
            cluster = try Cluster()
            servers = try cluster.pair()
            store = try SQLiteDatabase(path: cluster.folder.appending(path: "0.sqlite").path())
            try store.write { connection in
                try connection.execute(
                    "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
                    []
                )
                for id in 0..<Self.notes {
                    try connection.execute(
                        "INSERT INTO note (id, text) VALUES (?, ?)",
                        [.integer(Int64(id)), .text(String(repeating: "note \(id) ", count: 1_000))]
                    )
                }
            }
        }

        private func log() throws -> PostgreSQLLog {
            PostgreSQLLog(try servers.primary.connection(), partition: "orders/0")
        }

        @Test func `holds a store of several parts, for whoever begins with nothing but the log`() throws {
            let beginning = LogBeginning(of: store, in: try log())
            let head = try beginning.make()
            #expect(head.position == 2)
            #expect(try beginning.difference() == nil)
            try beginning.mark(at: head)

            let path = cluster.folder.appending(path: "heir.sqlite").path()
            #expect(try LocalCopy(at: path, of: log()).prepare() == .snapshot(head))
            let heir = try SQLiteDatabase(path: path, isRecorded: true, synchronous: .normal)
            let settings = ReplicatedDatabase.Settings(repeats: { _, _ in false }, end: { _ in })
            let owner = try ReplicatedDatabase(heir, log: log(), settings: settings)
            try owner.claim([1], after: head.epoch)
            let count: Int? = try owner.write { try $0.value("SELECT COUNT(*) FROM note") }
            #expect(count == Self.notes)
            #expect(throws: LogFollowerFault.self, "the log has gone on") { try beginning.make() }
        }

        @Test func `begins anew behind a primary that was killed`() throws {
            let first = try LogBeginning(of: store, in: log()).make()
            try servers.primary.stop()
            let silent = LogBeginning(of: store, in: try log())
            #expect(throws: LogFault.self) { try silent.make() }
            try servers.primary.start()
            let beginning = LogBeginning(of: store, in: try log())
            #expect(try beginning.make().position > first.position)
            #expect(try beginning.difference() == nil)
        }
    }
}
