import Database
import Foundation
import Testing

@testable import PostgreSQL

extension RealServers {
    @Suite struct `a log in PostgreSQL` {
        private func made() throws -> (Cluster, Server) {
            let cluster = try Cluster()
            let server = try cluster.primary()
            try LogTables(try server.connection(allowsSingle: true)).make(
                group: "test",
                partitions: ["orders/0"]
            )
            return (cluster, server)
        }

        @Test func `takes one entry at each position, of the owner alone`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let log = PostgreSQLLog(try server.connection(allowsSingle: true), partition: "orders/0")
            #expect(try log.head() == .empty)
            #expect(try log.append(.rows(1, 1, "no claim")) == .taken)
            #expect(try log.append(.claim(1, 1)) == .appended)
            #expect(try log.append(.claim(1, 1)) == .appended)
            #expect(try log.append(.claim(1, 1, by: "b")) == .taken)
            #expect(try log.append(.rows(2, 1, "a")) == .appended)
            #expect(try log.append(.rows(2, 1, "b")) == .taken)
            #expect(try log.append(.rows(4, 1, "gap")) == .behind(LogHead(position: 2, epoch: 1)))
            #expect(try log.append(.claim(3, 2, by: "b")) == .appended)
            #expect(try log.append(.rows(3, 1, "of the former owner")) == .taken)
            #expect(try log.append(.rows(4, 1, "of the former owner")) == .taken)
            #expect(try log.append(.rows(4, 2, "")) == .appended)
            #expect(try log.head() == LogHead(position: 4, epoch: 2))
            let entries: [LogEntry] = [
                .claim(1, 1), .rows(2, 1, "a"), .claim(3, 2, by: "b"), .rows(4, 2, ""),
            ]
            #expect(try log.entries(from: 1, maximumBytes: 1_000) == entries)
            #expect(try log.entries(from: 1, maximumBytes: 2) == Array(entries.prefix(2)))
            #expect(try log.entries(from: 3, maximumBytes: 0) == [entries[2]])
            #expect(try log.entries(from: 5, maximumBytes: 1_000).isEmpty)
        }

        /// What is on its way when the disk is full has to be known again when there is room.
        @Test func `says of a full disk that nothing is known, and has the entry once when there is room`()
            throws
        {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let log = PostgreSQLLog(try server.connection(allowsSingle: true), partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            try server.raise("53100")
            for _ in 1...3 {
                guard case .unknown(let why) = try log.append(.rows(2, 1, "a")) else {
                    Issue.record("a full disk says that an entry is there, or will never be")
                    return
                }
                #expect(why.contains("no room"))
            }
            #expect(try log.head() == LogHead(position: 1, epoch: 1))
            try server.sql("DROP TRIGGER raise ON public.counterfoil_entry")
            #expect(try log.append(.rows(2, 1, "a")) == .appended)
            #expect(try log.append(.rows(2, 1, "b")) == .taken)
            #expect(try server.entries().last == "2 a")
        }

        @Test func `keeps snapshots, and prunes below the older one, where nobody can append any more`()
            throws
        {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let log = PostgreSQLLog(try server.connection(allowsSingle: true), partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            for position in Int64(2)...20 {
                #expect(try log.append(.rows(position, 1, "\(position)")) == .appended)
            }
            let (older, newer) = (LogHead(position: 10, epoch: 1), LogHead(position: 15, epoch: 1))
            let snapshot = LogSnapshot(name: SnapshotName(head: older), parts: 2, bytes: 5, digest: -7)
            try log.write(part: [1, 2, 3], number: 0, of: snapshot.name)
            #expect(throws: LogFault.self) { try log.keep(snapshot) }
            try log.write(part: [9], number: 1, of: snapshot.name)
            try log.write(part: [4, 5], number: 1, of: snapshot.name)
            #expect(throws: LogFault.self) { try log.prune(below: 10) }
            #expect(throws: LogFault.self) { try log.part(0, of: snapshot) }
            for _ in 1...2 { try log.keep(snapshot) }
            let next = LogSnapshot(name: SnapshotName(head: newer), parts: 1, bytes: 1, digest: 1)
            try log.write(part: [6], number: 0, of: next.name)
            try log.keep(next)
            #expect(try log.snapshots() == [next, snapshot])
            #expect(try log.part(1, of: snapshot) == [4, 5])
            #expect(throws: LogFault.self) {
                let foreign = SnapshotName(head: LogHead(position: 15, epoch: 2), id: next.name.id)
                try log.keep(LogSnapshot(name: foreign, parts: 1, bytes: 1, digest: 1))
            }
            try log.prune(below: 10)
            #expect(throws: LogFault.pruned(first: 10)) { try log.entries(from: 9, maximumBytes: 100) }
            #expect(try log.entries(from: 10, maximumBytes: 1_000).count == 11)
            #expect(try log.append(.rows(5, 1, "5")) == .taken)
            #expect(try log.append(.claim(1, 1)) == .taken)
            #expect(try log.append(.rows(10, 1, "10")) == .appended)
            try log.prune(below: 15)
            #expect(try log.snapshots().map(\.head) == [newer])
            #expect(throws: LogFault.pruned(first: 20)) { try log.part(0, of: snapshot) }
            #expect(try log.append(.rows(21, 1, "21")) == .appended)
            // Making it again does not make a first position anew.
            try LogTables(try server.connection(allowsSingle: true)).make(
                group: "test",
                partitions: ["orders/0"]
            )
            #expect(try log.append(.claim(1, 1, by: "c")) == .taken)
        }

        @Test func `refuses what is no log of this program`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let connection = try server.connection(allowsSingle: true)
            #expect(throws: LogFault.self) { try LogTables(connection).make(group: "other", partitions: []) }
            #expect(throws: LogFault.self) { try PostgreSQLLog(connection, partition: "orders/9").head() }
            #expect(throws: LogFault.self) {
                try PostgreSQLLog(connection, partition: "orders/9").append(.claim(1, 1))
            }
            try server.sql("UPDATE public.counterfoil_log SET version = 99")
            #expect(throws: LogFault.unreadable("the log is of version 99, this program's is 1")) {
                try PostgreSQLLog(connection, partition: "orders/0").head()
            }
            try server.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            #expect(throws: LogFault.self) {
                try PostgreSQLLog(connection, partition: "orders/0").append(.claim(1, 1))
            }
        }

        @Test func `tells hosts who owns what, and who is there`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let connection = try server.connection(allowsSingle: true)
            let (log, group) = (PostgreSQLLog(connection, partition: "orders/0"), GroupRecords(connection))
            let first = LogHead(position: 1, epoch: 1)
            #expect(try log.append(.claim(1, 1)) == .appended)
            #expect(try group.renew("orders/0", at: first, endpoint: "tcp://a:1") == .renewed(counter: 1))
            #expect(try group.renew("orders/0", at: first, endpoint: "tcp://a:1") == .renewed(counter: 2))
            #expect(
                try group.renew("orders/0", at: LogHead(position: 2, epoch: 1), endpoint: "")
                    == .behind(first)
            )
            #expect(try log.append(.claim(2, 2, by: "b")) == .appended)
            #expect(try group.renew("orders/0", at: first, endpoint: "tcp://a:1") == .taken)
            let second = LogHead(position: 2, epoch: 2)
            #expect(try group.renew("orders/0", at: second, endpoint: "tcp://b:1") == .renewed(counter: 3))
            let owner = try #require(try group.view().owners.first)
            #expect(owner.epoch == 2 && owner.counter == 3 && owner.endpoint == "tcp://b:1")
            #expect(owner.quarantine == nil)
            for why in ["entry 7 is lost", "another reason"] { try group.quarantine("orders/0", why) }
            #expect(try group.view().owners.map(\.quarantine) == ["entry 7 is lost"])
            for isFirst in [true, false] { #expect(try group.resume("orders/0") == isFirst) }
            #expect(try group.view().owners.map(\.quarantine) == [nil])
            try group.announce("host-1", [1])
            try group.announce("host-1", [2])
            #expect(try group.view().members.map(\.counter) == [2])
            #expect(try group.view().members.map(\.bytes) == [[2]])
            #expect(try group.view().members.map { (0..<60_000).contains($0.silence) } == [true])
            for _ in 1...2 { try group.withdraw("host-1") }
            #expect(try group.view().members.isEmpty)
            #expect(try group.catalog() == nil)
            #expect(try !group.load(.init(number: 2, bytes: [7])))
            for _ in 1...2 { #expect(try group.load(.init(number: 1, bytes: [7]))) }
            #expect(try !group.load(.init(number: 1, bytes: [8])))
            #expect(try group.catalog() == .init(number: 1, bytes: [7]))
        }

        @Test func `tells by one statement what a process looks at`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let connection = try server.connection(allowsSingle: true)
            let names = ["orders/0", "orders/1", "orders/2"]
            try LogTables(connection).make(group: "test", partitions: names)
            let (log, group) = (PostgreSQLLog(connection, partition: "orders/1"), GroupRecords(connection))
            let start = try group.view()
            #expect(start.heads == Dictionary(uniqueKeysWithValues: names.map { ($0, .empty) }))
            #expect(start.owners.isEmpty && start.members.isEmpty && start.catalog == 0)
            #expect(try log.append(.claim(1, 1)) == .appended)
            #expect(try log.append(.rows(2, 1, "a")) == .appended)
            let head = LogHead(position: 2, epoch: 1)
            for counter in Int64(1)...2 {
                #expect(
                    try group.renew("orders/1", at: head, endpoint: "tcp://a:1") == .renewed(counter: counter)
                )
            }
            try group.quarantine("orders/2", "entry 7 is lost")
            for _ in 1...3 { try group.announce("orders/10.0.0.1/1", [1, 0, 255]) }
            for number in Int64(1)...2 { #expect(try group.load(.init(number: number, bytes: [7]))) }
            let view = try group.view()
            #expect(view.heads == ["orders/0": .empty, "orders/1": head, "orders/2": .empty])
            #expect(view.owners.map(\.partition) == ["orders/1", "orders/2"])
            #expect(view.owners.map(\.epoch) == [1, 0] && view.owners.map(\.counter) == [2, 0])
            #expect(view.owners.map(\.endpoint) == ["tcp://a:1", ""])
            #expect(view.owners.map(\.quarantine) == [nil, "entry 7 is lost"])
            #expect(view.members.map(\.name) == ["orders/10.0.0.1/1"])
            #expect(view.members.map(\.counter) == [3] && view.members.map(\.bytes) == [[1, 0, 255]])
            #expect(view.members.map { (0..<60_000).contains($0.silence) } == [true])
            #expect(view.catalog == 2)
        }

        /// It would read each whole log four times a second otherwise.
        @Test func `finds each log's end by its primary key, backwards`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            try server.sql(
                """
                INSERT INTO public.counterfoil_partition (name) VALUES ('orders/1');
                INSERT INTO public.counterfoil_entry (partition, position, epoch, former, kind, bytes)
                SELECT name, position, 1, 1, 1, ''
                FROM public.counterfoil_partition, generate_series(1, 5000) AS position;
                ANALYZE;
                """
            )
            let plan = try server.sql("EXPLAIN \(GroupStatements.view)")
            #expect(plan.contains("Index Scan Backward using counterfoil_entry_pkey"))
            #expect(!plan.contains("Seq Scan on counterfoil_entry"))
        }

        /// With each append the server reads and plans what it keeps under a name, but for one in a few hundred.
        @Test func `is appended to by names that the server's process keeps, and ends`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let connection = try server.connection(allowsSingle: true)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            var outcomes = [try log.append(.claim(1, 1))]
            let names = Statement("SELECT name FROM pg_prepared_statements")
            var kept: [Set<String?>] = []
            for position in Int64(2)...Int64(PreparedStatements.maximumUses + 2) {
                outcomes.append(try log.append(.rows(position, 1, "")))
                let reply = try connection.run(names, until: Deadline(in: 10_000))
                let found = Set(reply.rows.indices.map { reply.text(0, ofRow: $0) })
                if kept.last != found { kept.append(found) }
            }
            #expect(outcomes.allSatisfy { $0 == .appended })
            #expect(kept.map(\.count) == [2, 2], "of the entry and of the settings, and then others")
            #expect(kept.count == 2 && kept[0].isDisjoint(with: kept[1]))
            #expect(connection.connections == 1)
        }

        @Test func `is appended to by a statement's text where its name is not known any more`() throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let connection = try server.connection(allowsSingle: true)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            for position in Int64(2)...5 {
                _ = try connection.run(Statement("DEALLOCATE ALL"), until: Deadline(in: 10_000))
                #expect(try log.append(.rows(position, 1, "")) == .appended)
            }
            #expect(try log.entries(from: 1, maximumBytes: 10_000).map(\.position) == [1, 2, 3, 4, 5])
            let repeats = try server.sql("SELECT sum(repeats) FROM counterfoil_entry")
            #expect(repeats == "0", "each was written once")
            #expect(connection.connections == 1)
        }

        /// What the table itself says so is no fault of a name: a text that is sent again and again would never end.
        @Test(arguments: ["26000", "42P05", "0A000"])
        func `is sent by its text once, where a fault of names is the table's own`(state: String) throws {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let connection = try server.connection(allowsSingle: true)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            try server.raise(state)
            let statement = Statement("SELECT count(*) FROM pg_prepared_statements")
            #expect(throws: (any Error).self) {
                guard case .unknown(let why) = try log.append(.rows(2, 1, "a")) else { return }
                throw LogFault.unreachable(why)
            }
            #expect(try connection.run(statement, until: Deadline(in: 10_000)).number(0) == 2)
            try server.sql("DROP TRIGGER raise ON public.counterfoil_entry")
            #expect(try log.append(.rows(2, 1, "a")) == .appended)
            #expect(connection.connections == 1)
        }

        @Test func `works behind a transaction pooler, which gives each statement to another process`() throws
        {
            let (cluster, server) = try made()
            defer { withExtendedLifetime(cluster) {} }
            let port = try cluster.pooler(of: server)
            let connection = try Server.connection(to: "127.0.0.1:\(port)", allowsSingle: true)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            let claimed = try log.append(.claim(1, 1))
            #expect(claimed == .appended)
            for position in Int64(2)...30 {
                // Its own server process is gone each time, which it does not notice.
                try server.sql(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE application_name = 'counterfoil'"
                )
                let outcome = try log.append(.rows(position, 1, "\(position)"))
                #expect(outcome == .appended)
            }
            #expect(try log.entries(from: 1, maximumBytes: 10_000).count == 30)
            #expect(
                try GroupRecords(connection).renew("orders/0", at: try log.head(), endpoint: "")
                    == .renewed(counter: 1)
            )
        }
    }
}
