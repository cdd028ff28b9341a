import Database
import Foundation
import Testing

@testable import PostgreSQL

extension RealServers {
    @Suite struct `an owner of a partition` {
        @Test func `finds the new primary, and leaves the old one that came back`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let connection = try Server.connection(
                to: "\(primary.address),\(standby.address)",
                allowsSingle: true
            )
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            #expect(connection.primary?.timeline == 1)
            try primary.stop()
            try standby.promote()
            try standby.set("synchronous_standby_names", "")
            #expect(try log.append(.rows(2, 1, "a")) == .appended)
            #expect(connection.primary?.timeline == 2 && connection.primary?.host.port == standby.port)
            // Now two servers take writes, and the old one is named first.
            try primary.start()
            try primary.set("synchronous_standby_names", "")
            connection.disconnect()
            #expect(try log.append(.rows(3, 1, "b")) == .appended)
            let fresh = try Server.connection(
                to: "\(primary.address),\(standby.address)",
                allowsSingle: true
            )
            #expect(try PostgreSQLLog(fresh, partition: "orders/0").append(.rows(4, 1, "c")) == .appended)
            // The new one may be slow: what a store has followed is expected of the first one that answers.
            let lineage = try #require(connection.lineage)
            #expect(lineage.timeline == 2)
            let late = PostgreSQLLog(try primary.connection(allowsSingle: true), partition: "orders/0")
            late.expect(lineage)
            #expect(throws: LogFault.self) { try late.head() }
            let other = PostgreSQLLog(try standby.connection(allowsSingle: true), partition: "orders/0")
            other.expect(LogLineage(system: lineage.system ^ 1, timeline: 1))
            let fault = #expect(throws: LogFault.self) { try other.head() }
            guard case .refused? = fault else { throw Unexpected() }
            let allowed = LogConnection(
                try ServerLogin(
                    try LogAddress("postgresql://counterfoil@\(standby.address)/postgres"),
                    environment: [:]
                ),
                allowsSingle: true,
                allowsOther: true
            )
            allowed.expect(LogLineage(system: lineage.system ^ 1, timeline: 1))
            #expect(try PostgreSQLLog(allowed, partition: "orders/0").head().position == 4)
            #expect(try standby.entries() == ["1 a", "2 a", "3 b", "4 c"])
            #expect(try primary.entries() == ["1 a"])
        }

        /// Its Patroni is frozen: it answers, and knows of nobody else.
        ///
        /// Who writes there finds out, who reads does not.
        @Test func `is watched at the new primary when all counters of the old one stand still`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let addresses = "\(primary.address),\(standby.address)"
            let watcher = try Server.connection(to: addresses, allowsSingle: true)
            let owner = try Server.connection(to: addresses, allowsSingle: true)
            #expect(try PostgreSQLLog(owner, partition: "orders/0").append(.claim(1, 1)) == .appended)
            let head = LogHead(position: 1, epoch: 1)
            func renew() throws -> GroupRecords.Renewal {
                try GroupRecords(owner).renew("orders/0", at: head, endpoint: "tcp://10.0.0.7:7400")
            }
            var standstill = OwnerStandstill()
            func counter(at uptime: Int64) throws -> Int64? {
                let owners = try GroupRecords(watcher).view().owners
                if standstill.note(owners, at: uptime) { watcher.disconnect() }
                return owners.first?.counter
            }
            #expect(try renew() == .renewed(counter: 1))
            #expect(try counter(at: 0) == 1)
            try standby.promote()
            try standby.set("synchronous_standby_names", "")
            owner.disconnect()
            #expect(try renew() == .renewed(counter: 2))
            #expect(try counter(at: OwnerStandstill.milliseconds - 1) == 1)
            #expect(try counter(at: OwnerStandstill.milliseconds) == 1)
            #expect(try counter(at: OwnerStandstill.milliseconds + 1) == 2)
        }

        /// Nothing ends a connection to it; the first renewal behind the promotion is to reach the new primary.
        @Test func `is renewed at the new primary when the old one has gone without a word`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let relay = try Relay(to: primary.port)
            let addresses = "127.0.0.1:\(relay.port),\(standby.address)"
            let connection = try Server.connection(to: addresses, allowsSingle: true)
            #expect(try PostgreSQLLog(connection, partition: "orders/0").append(.claim(1, 1)) == .appended)
            let head = LogHead(position: 1, epoch: 1)
            let group = GroupRecords(connection)
            #expect(try group.renew("orders/0", at: head, endpoint: "") == .renewed(counter: 1))
            relay.arm(.init(side: .client, message: "P", mischief: .drop))
            relay.stop()
            let silence = try group.renew("orders/0", at: head, endpoint: "")
            guard case .unknown = silence else { throw Unexpected() }
            try standby.promote()
            try standby.set("synchronous_standby_names", "")
            #expect(try group.renew("orders/0", at: head, endpoint: "") == .renewed(counter: 2))
        }

        @Test func `learns nothing from a standby, and is refused where nothing waits for one`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let readOnly = PostgreSQLLog(try standby.connection(), partition: "orders/0")
            guard case .unknown = try readOnly.append(.claim(1, 1)) else { throw Unexpected() }
            let log = PostgreSQLLog(try primary.connection(), partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            // Patroni does this when the last standby dies, unless it is strict.
            try primary.set("synchronous_standby_names", "")
            guard case .unknown(let why) = try log.append(.rows(2, 1, "a")) else { throw Unexpected() }
            #expect(why.contains("synchronous_standby_names"))
            #expect(throws: LogFault.self) {
                try PostgreSQLLog(try primary.connection(), partition: "orders/0").head()
            }
            try primary.set("synchronous_standby_names", "standby")
            #expect(try log.append(.rows(2, 1, "a")) == .appended)
        }

        @Test(arguments: Ending.allCases)
        func `is answered in the end when a backend of its own was ended`(ending: Ending) async throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, standby) = try cluster.pair()
            let log = PostgreSQLLog(try primary.connection(), partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            let receiver = "SELECT pid FROM pg_stat_wal_receiver"
            let pid = try standby.sql(receiver)
            try standby.signal(SIGSTOP, receiver)
            async let outcome = Self.append(at: primary.port)
            try primary.wait(Law.waiting)
            try primary.sql(
                "SELECT \(ending.rawValue)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            )
            try primary.wait(Law.waiting)
            try standby.signal(SIGCONT, "SELECT \(pid)")
            #expect(try await outcome == .appended)
            #expect(try primary.entries() == ["1 a", "2 b"])
        }

        @concurrent private static func append(at port: UInt16) async throws -> AppendOutcome {
            let connection = try Server.connection(to: "127.0.0.1:\(port)")
            return try PostgreSQLLog(connection, partition: "orders/0").append(.rows(2, 1, "b"))
        }
    }
}

struct Unexpected: Error {}
