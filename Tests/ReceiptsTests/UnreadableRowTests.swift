import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: a row that cannot be read fails alone, and keeps no question to Apple waiting.
@Suite struct `a row about Apple that cannot be read` {
    private static let count = AppleWorker.concurrencyOfQueue + AppleWorker.placesForNamed
    private static let healthy = "history/com.example.game/Production/999"

    private let group: ReceiptsGroup
    private let apple: AskedApple
    /// The partition that reads the app's notifications, too.
    private let place = Shard(hashing: Sample.app.rawValue).partition(of: ReceiptsGroup.partitions)

    init() throws { (group, apple) = try ReceiptsGroup.asking() }

    private func ask(_ number: Int) throws { try group.askHistory(of: "\(number)", in: place) }

    private func write(_ sql: SQL) throws { try group.execute(sql, in: place) }

    /// Questions, of which all but one cannot be read.
    private func askWithFaults() throws {
        for number in 100..<(100 + Self.count) { try ask(number) }
        try write("UPDATE apple_query SET content = 'none'")
        group.pass(1, with: apple)
        try ask(999)
    }

    @Test func `takes no place from others while it rests`() async throws {
        try askWithFaults()
        let engine = PartitionEngine(
            service: group.service,
            settings: .init(
                address: PartitionAddress(.receipts, place),
                partitions: ReceiptsGroup.partitions
            ),
            store: try group.harness.store(place)
        )
        let clock = ClockReading(now: group.harness.now, uptime: 1_000)
        _ = try engine.takeOver(at: clock)
        var output = try engine.handle([.tick], at: clock)
        var (keys, alarms): ([String], [String]) = ([], [])
        for _ in 0...Self.count where !output.work.isEmpty {
            keys += output.work.map(\.key)
            var inputs: [PartitionInput] = []
            for item in output.work { inputs.append(.worked(item, result: try await group.perform(item))) }
            output = try engine.handle(inputs, at: clock)
            alarms += output.alarms.map(\.text)
        }
        #expect(keys.contains { $0.hasSuffix(Self.healthy) })
        #expect(try group.rows("SELECT query_id FROM apple_query", partition: place).count == Self.count)
        let fault = "does not hold the JSON of AppleQuery"
        #expect(alarms.count { $0.contains("work fails") && $0.contains(fault) } == Self.count)
    }

    @Test func `takes no place from others while it is set aside`() throws {
        try askWithFaults()
        let setAside = Set(
            (100..<(100 + Self.count)).map {
                "com.example.game/serverAPI/history/com.example.game/Production/\($0)"
            }
        )
        #expect(try group.due(Self.healthy, place, underWay: [], excluding: setAside).count == 1)
        #expect(try group.due(Self.healthy, place, underWay: setAside, excluding: setAside).isEmpty)
    }

    /// Spoils a row of each table by which questions come due; returns how its key begins.
    private func spoil(_ table: String) throws -> String {
        let now = Sample.start
        switch table {
        case "consumption_request":
            try write(
                """
                INSERT INTO consumption_request (transaction_id, bundle_id, environment, purchase_id, asked_at,
                  due_at, is_consented, content)
                VALUES ('7', \(Sample.app), 'Production', '7', \(now), \(now), 1, 'none')
                """
            )
            return "consumption/"
        case "reconciliation":
            try write(
                """
                INSERT INTO reconciliation (reconciliation_id, bundle_id, content, started_at)
                VALUES ('r', \(Sample.app), 'none', \(now))
                """
            )
            return "reconciliation/"
        case "history_cursor":
            try write(
                """
                INSERT INTO history_cursor (bundle_id, environment, content)
                VALUES (\(Sample.app), 'Production', 'none')
                """
            )
            return "serverNotifications/Production"
        default:
            let all = (10...999).lazy.map { Sample.transaction("\($0)") }
            let signed = try #require(all.first { ReceiptsGroup.partition(of: $0) == place })
            _ = try group.verify(signed)
            try write(
                """
                UPDATE claim SET signed_transaction = 'none', renewal_check_stage = 'first', renewal_check_at = \(now)
                """
            )
            return "renewal/"
        }
    }

    @Test(arguments: ["consumption_request", "reconciliation", "history_cursor", "claim"])
    func `fails alone, in whatever table it stands`(_ table: String) async throws {
        try ask(999)
        let prefix = try spoil(table)
        let items = try group.due("serverAPI/", place)
        #expect(items.contains { $0.key.hasSuffix(Self.healthy) })
        let broken = try #require(items.first { $0.key.hasPrefix("com.example.game/serverAPI/\(prefix)") })
        let result = try await group.perform(broken)
        #expect(throws: StoreError.self) { try group.finish(broken, result, place) }
        #expect(try group.due("serverAPI/", place).contains(broken), "nothing is lost")
    }

    @Test func `is replaced when its question is asked anew`() async throws {
        let facts = try #require(TransactionFacts(Sample.transaction("5")))
        let subjects: [AppleQuery.Subject] = [
            .claimEvidence(EvidenceCompletedV1(facts)),
            .history(HistoryQuery(environment: .production, transactionId: facts.transactionId)),
        ]
        for subject in subjects { try group.ask(subject, in: place) }
        try write("UPDATE apple_query SET content = 'none'")
        for subject in subjects { try group.ask(subject, in: place) }
        apple.knows(Sample.transaction("5"))
        try await group.askApple(place)
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: place).isEmpty)
    }

    @Test func `still says about which receipt it asks`() throws {
        let receipt = ReceiptID(unchecked: "r1")
        let others = BuyerID(unchecked: "\(Sample.alice.rawValue)/b")
        for buyer in [Sample.alice, others] { try group.ask(.evidence(receipt, buyer), in: place) }
        try write("UPDATE apple_query SET content = 'none'")
        let receipts = try group.run(place) {
            try AppleQueryStore(connection: $0.connection).evidence(of: Sample.alice, in: Sample.app)
        }
        #expect(receipts.outcome == [receipt])
    }
}
