import Contracts
import TestKit
import Testing

extension WholeGroup {
    @Suite struct DeadLetterTests {
        private static let orders = PartitionAddress(.orders, 0)
        /// No JSON, a type nobody knows, and a known type whose data make no sense.
        private static let poison = [
            "no event at all",
            #"{"specversion":"1.0","id":"poison-2","source":"/test","type":"counterfoil.nothing.v1","#
                + #""time":"2026-01-01T00:00:00Z","subject":"s","data":{}}"#,
            #"{"specversion":"1.0","id":"poison-3","source":"/test","type":"counterfoil.claim.proposed.v1","#
                + #""time":"2026-01-01T00:00:00Z","subject":"s","data":{"attempt":"many"}}"#,
        ]

        /// One line of `counterfoil dead list --json`.
        private struct Row: Decodable {
            let at: PartitionAddress
            let letter: DeadLetter
        }

        @Test
        func `what no handler can take is kept, listed, shown, retried and discarded, and hinders nobody`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let sender = try TestSender(to: Self.orders, of: group.home)
                defer { sender.shutdown() }
                try await sender.deliver(Self.poison.map { Array($0.utf8) })
                try await group.buy("anna")

                let rows = try await Self.letters(group)
                #expect(rows.count == Self.poison.count)
                #expect(rows.allSatisfy { $0.at == Self.orders && $0.letter.from == TestSender.address })
                let reasons = Set(rows.map(\.letter.reason))
                #expect(reasons.count == Self.poison.count, "each has a reason of its own")
                for row in rows { try await Self.show(row, group) }
                for row in rows { try await Self.retry(row, group) }
                try await Self.discardAll(group)
                try await group.rest()
            }
        }

        private static func show(_ row: Row, _ group: TestGroup) async throws {
            let shown = try await group.counterfoil("dead", "show", row.letter.letterId)
            #expect(shown.output.contains(row.letter.reason))
            #expect(poison.contains { shown.output.contains($0) }, "the bytes as they came: \(shown.output)")
        }

        /// What made no sense makes none the second time: it comes back as a new letter.
        private static func retry(_ row: Row, _ group: TestGroup) async throws {
            try await group.counterfoil("dead", "retry", row.letter.letterId)
            try await eventually("it is dead again") {
                let rows = try await letters(group)
                return rows.count == poison.count
                    && !rows.contains { $0.letter.letterId == row.letter.letterId }
            }
            let again = try await group.home.counterfoil("dead", "retry", row.letter.letterId)
            #expect(again.end == .exited(1), "a letter is retried once")
        }

        private static func discardAll(_ group: TestGroup) async throws {
            for row in try await letters(group) {
                try await group.counterfoil("dead", "discard", row.letter.letterId, "--by", "test")
            }
            #expect(try await letters(group).isEmpty)
        }

        private static func letters(_ group: TestGroup) async throws -> [Row] {
            try await group.home.counterfoil("dead", "list", "--json").json([Row].self)
        }
    }
}
