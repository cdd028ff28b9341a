import Contracts
import Domain
import Foundation
import TestKit
import Testing

@testable import Control
@testable import Program

@Suite struct `what the operator is shown` {
    @Test func `status has the members that are promised, null where nobody answers`() throws {
        let status = PartitionStatus(
            service: .orders,
            partition: 0,
            pid: 7,
            replica: 0,
            epoch: 3,
            outbox: 1,
            oldestUnsettledMs: 20,
            delayed: 2,
            parkedWork: 1_005,
            deadLetters: 4,
            quarantinedLinks: 2,
            unansweredLinks: [PartitionAddress(.entitlements, 2)],
            gauges: [:],
            logPosition: nil
        )
        let report = StatusReport(
            answers: PartitionAnswers([
                PartitionAddress(.orders, 0): .success(status),
                PartitionAddress(.orders, 1): .failure(CommandFailure(description: "silent")),
            ]),
            replicas: nil,
            isTestHome: false
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(report), as: UTF8.self)
        let orders = #"""
            {"partitions":[{"deadLetters":4,"delayed":2,"epoch":3,"oldestUnsettledMs":20,\#
            "outbox":1,"parkedWork":1005,"partition":0,"pid":7,"quarantinedLinks":2,\#
            "unansweredLinks":["/entitlements/2"]},\#
            {"deadLetters":null,"delayed":null,"epoch":null,\#
            "oldestUnsettledMs":null,"outbox":null,"parkedWork":null,"partition":1,"pid":null,\#
            "quarantinedLinks":null,"unansweredLinks":null}],\#
            "replicas":[{"pid":7,"replica":0}],"service":"orders"}
            """#
        #expect(text.hasPrefix(#"{"services":[\#(orders),"#))
        #expect(!text.contains("testHome"))
        #expect(report.text.contains("/orders/1"))
        #expect(report.text.contains("no answer"))
        #expect(report.text.contains("NO ANSWER on the link /orders/0 → /entitlements/2"))
        #expect(report.text.contains("QUARANTINED: 2 of the links of /orders/0"))
        #expect(report.text.contains("\nPARKED WORK: 1005 pieces of /orders/0; `counterfoil delayed list`"))
    }

    @Test func `status says what waits for an operator, and how many webhooks are undelivered`() throws {
        let gauges: [PartitionAddress: [String: Double]] = [
            PartitionAddress(.entitlements, 0): ["counterfoil_grants_parked": 2],
            PartitionAddress(.entitlements, 1): ["counterfoil_grants_parked": 1],
            PartitionAddress(.receipts, 0): ["counterfoil_transactions_orphaned": 1],
            PartitionAddress(.notifications, 0): [
                "counterfoil_webhooks_undelivered": 1,
                "counterfoil_webhooks_undelivered_oldest_seconds": 61.5,
            ],
        ]
        var answers: [PartitionAddress: Result<PartitionStatus, CommandFailure>] = [:]
        for (address, values) in gauges {
            var status = ScriptedGroup.status(of: address)
            status.gauges = values
            answers[address] = .success(status)
        }
        let report = StatusReport(answers: PartitionAnswers(answers), replicas: [], isTestHome: false)
        #expect(report.text.contains("\nWAITING for an operator: 3 grants, 1 orphan; see "))
        let advice = "; see `counterfoil parked`, `counterfoil retry`, `counterfoil orphans`, "
        #expect(report.text.contains(advice))
        #expect(!report.text.contains("reassign"), "nothing is contested")
        #expect(report.text.contains("\nUNDELIVERED: 1 webhook, the oldest for 61 s; "))
        let json = String(decoding: try JSONEncoder().encode(report.waiting), as: UTF8.self)
        #expect(json.contains(#""grants":3"#) && json.contains(#""oldestWebhookSeconds":61"#), "\(json)")
        let quiet = StatusReport(answers: PartitionAnswers([:]), replicas: [], isTestHome: false)
        #expect(quiet.waiting.lines.isEmpty)
    }

    @Test func `status counts compensations whose purchase is another buyer's`() {
        var status = ScriptedGroup.status(of: PartitionAddress(.entitlements, 0))
        status.gauges = ["counterfoil_compensations_contested": 1]
        let lines = WaitingCounts([status]).lines
        let advice = "see `counterfoil held`, `counterfoil reverse`"
        #expect(lines == ["WAITING for an operator: 1 contested compensation; \(advice)"])
    }

    @Test func `a test home is announced`() {
        let report = StatusReport(answers: PartitionAnswers([:]), replicas: [], isTestHome: true)
        #expect(report.testHome == true)
        #expect(report.text.hasPrefix("TEST HOME"))
    }

    @Test func `of two messages in one millisecond the cause comes first`() {
        let time = Timestamp(milliseconds: 1_000)
        let later = Timestamp(milliseconds: 2_000)
        let report = TraceReport([
            PartitionAddress(.entitlements, 1): [.init(time: time, type: "c", id: "a1", causationid: "b2")],
            PartitionAddress(.orders, 0): [
                .init(time: time, type: "b", id: "b2", causationid: "c3"),
                .init(time: later, type: "d", id: "0", causationid: nil),
            ],
            PartitionAddress(.receipts, 0): [.init(time: time, type: "a", id: "c3", causationid: nil)],
        ])
        #expect(report.entries.map(\.type) == ["a", "b", "c", "d"])
    }

    @Test func `a phone's steps stand at its times, and what it says cannot control the terminal`() throws {
        var step = Trace.Entry(time: Timestamp(milliseconds: 1), type: "log", id: "step-00")
        step.step = StepLogEntry(
            at: step.time,
            step: .failed,
            code: "2\u{1B}[2J\n\u{61C}",
            domain: "\u{202E}SK\u{2066}"
        )
        let report = TraceReport([
            PartitionAddress(.orders, 0): [step, .init(time: Timestamp(milliseconds: 0), type: "a", id: "b")]
        ])
        #expect(report.entries.map(\.type) == ["a", "log"])
        let shown = #"phone: failed (\u{202e}SK\u{2066} 2\u{1b}[2J\n\u{61c})"#
        #expect(report.entries.map(\.what) == ["a", shown])
        #expect(report.text.split(separator: "\n").last?.contains(shown) == true)
        let json = String(decoding: try JSONEncoder().encode(report.entries), as: UTF8.self)
        #expect(!json.unicodeScalars.contains { [0x1B, 0x202E, 0x2066, 0x61C].contains($0.value) })
    }

    @Test func `messages that cause each other in a circle do no harm`() {
        let time = Timestamp(milliseconds: 1)
        let report = TraceReport([
            PartitionAddress(.orders, 0): [
                .init(time: time, type: "a", id: "1", causationid: "2"),
                .init(time: time, type: "b", id: "2", causationid: "1"),
            ]
        ])
        #expect(report.entries.count == 2)
    }

    @Test func `columns are as wide as they need to be`() {
        let table = TextTable(["A", "B"], [["long", "x"], ["s", ""]])
        #expect(table.text == "A     B\nlong  x\ns")
    }
}

@Suite struct `whom a message concerns` {
    private static func route(_ service: ServiceName, _ json: String) throws -> PartitionRouter? {
        let data = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        return PartitionRouter(service, data: data, partitions: 256)
    }

    @Test func `a buyer's message goes to the buyer's partition`() throws {
        let found = try Self.route(.orders, #"{"bundleId":"com.example.game","buyerId":"buyer-1"}"#)
        let shard = PartitionKey.buyer(BuyerID(unchecked: "buyer-1"), of: .game).shard
        #expect(found?.address == PartitionAddress(.orders, shard.partition(of: 256)))
        #expect(found?.subject == "com.example.game/buyer-1")
    }

    @Test func `an order's id leads to its partition in Orders only`() throws {
        let order = OrderID(time: Timestamp(milliseconds: 1), shard: Shard(rawValue: 0x1234), random: 5)
        let data = #"{"bundleId":"com.example.game","orderId":"\#(order.rawValue.uppercased())"}"#
        #expect(try Self.route(.orders, data)?.address == PartitionAddress(.orders, 0x34))
        #expect(try Self.route(.receipts, data) == nil)
    }

    @Test func `a receipt's id leads to its verdict in Notifications, and to its proof in Receipts`() throws {
        let receipt = ReceiptID(
            signedSeconds: 0,
            shard: Shard(rawValue: 0x0102),
            place: Shard(rawValue: 0x0305),
            digest: [UInt8](repeating: 7, count: 32)
        )
        let data = #"{"receiptId":"\#(receipt)"}"#
        #expect(try Self.route(.notifications, data)?.address == PartitionAddress(.notifications, 2))
        #expect(try Self.route(.receipts, data)?.address == PartitionAddress(.receipts, 5))
    }

    @Test func `data that names nobody leads nowhere`() throws {
        #expect(try Self.route(.orders, "{}") == nil)
        #expect(try Self.route(.orders, "[1]") == nil)
        #expect(try Self.route(.orders, #"{"buyerId":"buyer-1"}"#) == nil)
    }
}

@Suite struct `metrics` {
    @Test func `figures of one name stand together, and labels are escaped`() {
        var metrics = PrometheusText()
        metrics.add("a", 1, labels: ["p": "0"], help: "First.")
        metrics.add("b_total", 2.5, kind: .counter)
        metrics.add("a", 3, labels: ["p": "x\"y\\z\n"])
        #expect(
            metrics.text == """
                # HELP a First.
                # TYPE a gauge
                a{p="0"} 1
                a{p="x\\"y\\\\z\\n"} 3
                # TYPE b_total counter
                b_total 2.5

                """
        )
    }
}
