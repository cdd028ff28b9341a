import Database
import Testing

@testable import PostgreSQL

extension LogEntry {
    static func claim(_ position: Int64, _ epoch: Int64, by claimant: String = "a") -> LogEntry {
        LogEntry(
            position: position,
            epoch: epoch,
            formerEpoch: epoch - 1,
            kind: .claim,
            bytes: Array(claimant.utf8)
        )
    }

    static func rows(_ position: Int64, _ epoch: Int64, _ text: String) -> LogEntry {
        LogEntry(position: position, epoch: epoch, kind: .rows, bytes: Array(text.utf8))
    }
}

/// What tests of real servers run under: one after the other.
@Suite(.serialized) enum RealServers {}

extension RealServers {
    @Suite struct `an entry that is appended over a bad line` {
        /// Every message of the statement and of its answer; of a session's first one `P` and `1`, too.
        static let steps: [(Relay.Side, Character)] = [
            (.client, "P"), (.client, "B"), (.client, "E"), (.client, "S"), (.server, "1"), (.server, "2"),
            (.server, "D"), (.server, "C"), (.server, "Z"),
        ]

        @Test func `is there once, wherever the line is cut, falls silent or is slow`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let (primary, _) = try cluster.pair()
            let relay = try Relay(to: primary.port)
            defer { relay.stop() }
            let connection = try Server.connection(to: "127.0.0.1:\(relay.port)")
            let log = PostgreSQLLog(connection, partition: "orders/0")
            #expect(try log.append(.claim(1, 1)) == .appended)
            var expected = ["1 a"]
            var position: Int64 = 1
            for (side, message) in Self.steps {
                for mischief in Relay.Mischief.allCases {
                    position += 1
                    let rule = Relay.Rule(side: side, message: message, mischief: mischief)
                    if ["P", "1"].contains(message) {
                        connection.disconnect()
                        _ = try log.head()
                    }
                    let before = relay.timesUsed
                    relay.arm(rule)
                    #expect(try log.append(.rows(position, 1, "\(rule)")) == .appended, "\(rule)")
                    #expect(relay.timesUsed == before + 1, "\(rule)")
                    expected.append("\(position) \(rule)")
                }
            }
            #expect(try primary.entries() == expected)
        }
    }
}
