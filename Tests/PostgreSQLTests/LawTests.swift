import Database
import Foundation
import Testing

@testable import PostgreSQL

/// How a commit ends that waits for a standby which does not answer.
enum Ending: String, CaseIterable, Sendable {
    case cancelled = "pg_cancel_backend"
    case terminated = "pg_terminate_backend"
}

/// What must hold of whoever uses the log, and histories in which careless ones break it.
enum Law {
    typealias Append = @Sendable (LogEntry, LogConnection) throws -> Told

    static let careful: Append = { Told(try PostgreSQLLog($1, partition: "orders/0").append($0)) }

    static func careless(_ carelessness: Carelessness) -> Append {
        { CarelessClient(carelessness: carelessness, connection: $1).append($0) }
    }

    static let waiting = "EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')"

    /// The standby is away, the backend that waits for it is ended, the primary burns down, the standby takes over.
    ///
    /// The law: what was told as done is there.
    static func keepsWhatItTold(_ ending: Ending, _ append: @escaping Append) async throws -> Bool {
        let cluster = try Cluster()
        defer { withExtendedLifetime(cluster) {} }
        let (primary, standby) = try cluster.pair()
        #expect(try careful(.claim(1, 1), try primary.connection()) == .done)
        try standby.stop("fast")
        async let telling = tell(.rows(2, 1, "paid"), at: primary.port, append)
        try primary.wait(waiting)
        try primary.sql("SELECT \(ending.rawValue)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        let told = try await telling
        try primary.stop()
        try standby.start()
        try standby.promote()
        let isThere = try standby.entries().contains("2 paid")
        return told != .done || isThere
    }

    @concurrent private static func tell(
        _ entry: LogEntry,
        at port: UInt16,
        _ append: Append
    ) async throws -> Told {
        try append(entry, try Server.connection(to: "127.0.0.1:\(port)"))
    }

    /// The answer to a commit is lost.
    ///
    /// The law: what was told as not done is not there.
    static func hasNotWhatItDenied(_ append: Append) throws -> Bool {
        let cluster = try Cluster()
        defer { withExtendedLifetime(cluster) {} }
        let (primary, _) = try cluster.pair()
        let relay = try Relay(to: primary.port)
        defer { relay.stop() }
        let connection = try Server.connection(to: "127.0.0.1:\(relay.port)")
        #expect(try careful(.claim(1, 1), connection) == .done)
        relay.arm(Relay.Rule(side: .server, message: "Z", mischief: .cutBefore))
        let told = try append(.rows(2, 1, "paid"), connection)
        return try told != .notDone || !primary.entries().contains("2 paid")
    }

    /// A standby without the last entries takes over; the owner goes on.
    ///
    /// The law: no entry is behind a gap.
    static func leavesNoGap(_ append: Append) throws -> Bool {
        let cluster = try Cluster()
        defer { withExtendedLifetime(cluster) {} }
        let (primary, standby) = try cluster.pair()
        let connection = try primary.connection(allowsSingle: true)
        for entry in [LogEntry.claim(1, 1), .rows(2, 1, "a")] {
            #expect(try careful(entry, connection) == .done)
        }
        try standby.stop("fast")
        try primary.set("synchronous_standby_names", "")
        #expect(try careful(.rows(3, 1, "lost"), connection) == .done)
        try primary.stop()
        try standby.start()
        try standby.promote()
        try standby.set("synchronous_standby_names", "")
        _ = try append(.rows(4, 1, "next"), try standby.connection(allowsSingle: true))
        let positions = try standby.entries().compactMap {
            $0.split(separator: " ").first.flatMap { Int($0) }
        }
        return positions == Array(1...positions.count)
    }
}

extension RealServers {
    @Suite struct `what was acknowledged` {
        @Test(arguments: Ending.allCases)
        func `is there after the standby took over`(ending: Ending) async throws {
            #expect(try await Law.keepsWhatItTold(ending, Law.careful))
        }

        @Test func `is lost by who believes a plain read`() async throws {
            #expect(try await !Law.keepsWhatItTold(.terminated, Law.careless(.readsBack)))
        }

        @Test func `is lost by who takes an unknown outcome for done`() async throws {
            #expect(try await !Law.keepsWhatItTold(.terminated, Law.careless(.takesUnknownForDone)))
        }

        @Test func `is lost by who ignores the warning`() async throws {
            #expect(try await !Law.keepsWhatItTold(.cancelled, Law.careless(.ignoresWarnings)))
        }
    }

    @Suite struct `what was denied` {
        @Test func `is not in the log`() throws {
            #expect(try Law.hasNotWhatItDenied(Law.careful))
        }

        @Test func `is in the log of who takes an unknown outcome for failed`() throws {
            #expect(try !Law.hasNotWhatItDenied(Law.careless(.takesUnknownForFailed)))
        }
    }

    @Suite struct `a primary that came back with less` {
        @Test func `is given nothing behind a gap`() throws {
            #expect(try Law.leavesNoGap(Law.careful))
        }

        @Test func `is given an entry behind a gap by who checks no position`() throws {
            #expect(try !Law.leavesNoGap(Law.careless(.checksNoPosition)))
        }
    }
}
