import ArgumentParser
import Contracts
import TestKit
import Testing

@testable import Control

@Suite struct `a round of retries` {
    private static let unknown = RetryPage.ItemStatus("parked", reason: "unknownProduct")

    private let group = ScriptedGroup()

    private static func grant(_ id: String, after: RetryPage.ItemStatus = .init("granted")) -> RetryPage.Item
    {
        RetryPage.Item(
            .grant,
            id: id,
            buyerId: .ada,
            productId: ProductID(unchecked: "coins.500"),
            before: unknown,
            after: after
        )
    }

    private static func orphan(_ id: String) -> RetryPage.Item {
        RetryPage.Item(
            .orphan,
            id: id,
            bundleId: .game,
            environment: .production,
            before: RetryPage.ItemStatus("orphan"),
            after: RetryPage.ItemStatus("proposed")
        )
    }

    private func carryOut(_ scope: RetryScope = RetryScope()) async throws -> RetryReport {
        try await RetryRound(group: group, scope: scope).carryOut()
    }

    @Test func `goes through every page of every partition, and prints why each item waited`() async throws {
        await group.park(
            [[Self.grant("1")], [Self.grant("2", after: Self.unknown), Self.grant("3")]],
            at: PartitionAddress(.entitlements, 2)
        )
        let scope = RetryScope(productId: ProductID(unchecked: "coins.500"))
        let report = try await carryOut(scope)
        #expect(report.items.count == 3)
        #expect(report.changed.map(\.id) == ["1", "3"])
        #expect(report.exitCode == 0)
        #expect(
            report.text == """
                KIND   ID  PRODUCT    BUYER  BEFORE                  AFTER
                grant  1   coins.500  ada    parked: unknownProduct  granted
                grant  3   coins.500  ada    parked: unknownProduct  granted
                grant  2   coins.500  ada    parked: unknownProduct  parked: unknownProduct
                judged again: 0 submissions, 0 orphans, 0 server notifications, 3 grants; 2 changed
                """
        )
        let asked = await group.questions(GrantRetryV1.self)
        #expect(asked.count == group.partitions + 1 && asked.allSatisfy { $0.scope == scope })
        #expect(await group.questions(ReceiptRetryV1.self).map(\.scope).count == group.partitions)
    }

    @Test func `says that nothing changed, and why it still waits`() async throws {
        await group.park([[Self.grant("1", after: Self.unknown)]], at: PartitionAddress(.entitlements, 0))
        let report = try await carryOut()
        let nothing = "judged again: 0 submissions, 0 orphans, 0 server notifications, 1 grant; 0 changed"
        #expect(report.text.hasSuffix("parked: unknownProduct  parked: unknownProduct\n" + nothing))
        #expect(report.object.unchanged.map(\.id) == ["1"])
        #expect(report.object.judged == ["submission": 0, "orphan": 0, "serverNotification": 0, "grant": 1])
        #expect(report.object.changed.isEmpty && report.object.problems.isEmpty)
    }

    @Test func `waits for Orders' word on what was nobody's`() async throws {
        await group.park([[Self.orphan("1"), Self.orphan("2")]], at: PartitionAddress(.receipts, 1))
        await group.scheduleClaims(
            FoundTransactions.claim("1", "proposed"),
            FoundTransactions.claim("1", "proposed"),
            FoundTransactions.claim("1", "held"),
            FoundTransactions.claim("2", "proposed"),
            FoundTransactions.claim("2", "orphan")
        )
        let report = try await carryOut()
        #expect(report.changed.map(\.id) == ["1"])
        #expect(report.changed.map(\.after) == [RetryPage.ItemStatus("held")])
        #expect(report.items.count == 2)
    }

    @Test func `asks the receipt's own partition of Receipts when one is named`() async throws {
        let (home, place) = (Shard(rawValue: 9), Shard(rawValue: 7))
        let receipt = ReceiptID(signedSeconds: 0, shard: home, place: place, digest: 0..<16)
        _ = try await carryOut(RetryScope(receiptId: receipt))
        #expect(await group.addressees(ReceiptRetryV1.self) == [PartitionAddress(.receipts, 3)])
    }

    @Test func `that misses a partition says so and ends with 3, and keeps what the others said`()
        async throws
    {
        await group.park([[Self.grant("1")]], at: PartitionAddress(.entitlements, 0))
        await group.silence { $0 is ReceiptRetryV1 }
        let report = try await carryOut()
        #expect(report.exitCode == 3)
        #expect(report.missed.failures.count == group.partitions)
        #expect(report.changed.map(\.id) == ["1"])
    }

    @Test func `that is refused ends with 1`() async throws {
        await group.refuse { $0 is ReceiptRetryV1 }
        #expect(try await carryOut().exitCode == 1)
    }

    @Test func `is asked for with ids only`() throws {
        for arguments in [["--receipt", "r"], ["--buyer", ""], ["--product", "\u{7}"]] {
            #expect(throws: (any Error).self) { try RetryCommand.parse(arguments) }
        }
        let command = try RetryCommand.parse(["--product", "coins.500", "--buyer", "ada"])
        let scope = RetryScope(productId: ProductID(unchecked: "coins.500"), buyerId: .ada)
        #expect(command.scope == scope)
    }
}
