import Database
import Foundation
import Testing

@testable import PostgreSQL

extension RealServers {
    @Suite struct `a standby that does not answer` {
        private static let receiver = "SELECT pid FROM pg_stat_wal_receiver"
        private static let processes =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counterfoil'"

        @concurrent private static func append(at port: UInt16) async throws -> AppendOutcome {
            let connection = try Server.connection(to: "127.0.0.1:\(port)")
            return try PostgreSQLLog(connection, partition: "orders/0").append(.rows(2, 1, "b"))
        }

        @Test func `has not what a primary lets go that is told to wait for none`() async throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let log = PostgreSQLLog(try primary.connection(), partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            let pid = try standby.sql(Self.receiver)
            try standby.signal(SIGSTOP, Self.receiver)
            async let outcome = Self.append(at: primary.port)
            try primary.wait(Law.waiting)
            // Patroni does this when the last standby dies, unless it is strict; PostgreSQL warns nobody.
            try primary.set("synchronous_standby_names", "")
            let told = try await outcome
            guard case .unknown(let why) = told else {
                Issue.record("\(told): it is on one machine")
                return
            }
            #expect(why.contains("synchronous_standby_names"))
            try primary.set("synchronous_standby_names", "standby")
            try standby.signal(SIGCONT, "SELECT \(pid)")
            #expect(try log.append(.rows(2, 1, "b")) == .appended)
        }

        @Test func `is waited for by one process of the server, on whose thread heartbeats are answered`()
            throws
        {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            var limits = LogLimits()
            (limits.attempt, limits.append, limits.call, limits.pulse) = (200, 900, 500, 50)
            let connection = try primary.connection(limits: limits)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            try LogTables(connection).make(group: "test", partitions: ["orders/1"])
            var beats = 0
            connection.whileWaiting = { if $0 { beats += 1 } }
            let pid = try standby.sql(Self.receiver)
            try standby.signal(SIGSTOP, Self.receiver)
            for _ in 1...3 {
                let before = beats
                guard case .unknown = try log.append(.rows(2, 1, "b")) else { throw Unexpected() }
                #expect(beats - before > 8, "a beat each 50 of 900 ms, but for a slow machine")
            }
            #expect(try primary.sql(Self.processes) == "1")
            // Another partition on the same connection waits behind it, and says so.
            let other = PostgreSQLLog(connection, partition: "orders/1")
            guard case .unknown = try other.append(.claim(1, 1)) else { throw Unexpected() }
            #expect(throws: LogFault.self) { try log.head() }
            #expect(try primary.sql(Self.processes) == "1")
            try standby.signal(SIGCONT, "SELECT \(pid)")
            #expect(try log.append(.rows(2, 1, "b")) == .appended)
            #expect(try other.append(.claim(1, 1)) == .appended)
            #expect(connection.connections == 1)
            #expect(try primary.entries() == ["1 a", "2 b"])
            #expect(try log.append(.rows(3, 1, "c")) == .appended)
        }

        @Test func `is waited for by one process of the server behind a pooler, too`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let port = try cluster.pooler(of: primary)
            var limits = LogLimits()
            // The pooler's first connection may take longer than an attempt, and the next search begins later.
            (limits.attempt, limits.append) = (200, 2_000)
            let connection = try Server.connection(to: "127.0.0.1:\(port)", limits: limits)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            let pid = try standby.sql(Self.receiver)
            try standby.signal(SIGSTOP, Self.receiver)
            for _ in 1...3 {
                guard case .unknown = try log.append(.rows(2, 1, "b")) else { throw Unexpected() }
            }
            #expect(
                try primary.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == "1"
            )
            try standby.signal(SIGCONT, "SELECT \(pid)")
            #expect(try log.append(.rows(2, 1, "b")) == .appended)
            #expect(connection.connections == 1)
        }

        @Test func `holds no process of the server for each renewal`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            var limits = LogLimits()
            limits.renewal = 300
            let connection = try primary.connection(limits: limits)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            let group = GroupRecords(connection)
            let head = LogHead(position: 1, epoch: 1)
            #expect(try group.renew("orders/0", at: head, endpoint: "") == .renewed(counter: 1))
            let pid = try standby.sql(Self.receiver)
            try standby.signal(SIGSTOP, Self.receiver)
            for _ in 1...4 {
                guard case .unknown = try group.renew("orders/0", at: head, endpoint: "") else {
                    throw Unexpected()
                }
            }
            #expect(try primary.sql(Self.processes) == "1")
            try standby.signal(SIGCONT, "SELECT \(pid)")
            guard case .renewed = try group.renew("orders/0", at: head, endpoint: "") else {
                throw Unexpected()
            }
        }

        @Test func `is no primary for a user who may not read the control file`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            try primary.sql(
                """
                CREATE ROLE plain LOGIN;
                GRANT ALL ON SCHEMA public TO plain;
                GRANT ALL ON ALL TABLES IN SCHEMA public TO plain;
                REVOKE EXECUTE ON FUNCTION pg_control_checkpoint(), pg_control_system() FROM PUBLIC;
                """
            )
            try standby.wait("EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'plain')")
            let hosts = "\(standby.address),\(primary.address)"
            let login = try ServerLogin(
                try LogAddress("postgresql://plain@\(hosts)/postgres"),
                environment: [:]
            )
            let connection = LogConnection(login, limits: .quick)
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            #expect(connection.primary?.host.port == primary.port && connection.primary?.timeline == 1)
        }
    }
}
