import Contracts
import Foundation
import Testing

@testable import Control

@Suite struct `what reconciling prints` {
    typealias Found = FoundTransactions

    /// One transaction that came, one that was refunded, one that stayed, one that cannot be used.
    private static func report() -> ReconciliationReport {
        var report = ReconciliationReport(isDryRun: false)
        report.progress = Found.progress(serverNotifications: 1, sent: 3)
        report.progress.unusable = [unusable(1)]
        report.progress.unusableCount = 1
        (report.found.count, report.found.unknown, report.found.received) = (3, 1, 3)
        report.found.transactions = [
            Found.transaction("3", "orphan", "orphan"), Found.transaction("1", "unknown", "held"),
            Found.transaction("2", "held", "held, refunded"),
        ]
        return report
    }

    private static func unusable(_ number: Int, refused: Bool = false) -> ReconciliationV1.Unusable {
        ReconciliationV1.Unusable(
            notificationUUID: "n\(number)",
            transactionId: nil,
            problem: "badSignature",
            refused: refused
        )
    }

    @Test func `is a table of what changed and one line of figures`() {
        #expect(
            Self.report().text(all: false) == """
                TRANSACTION  PRODUCT    ENVIRONMENT  BEFORE       AFTER
                1            coins.120  Production   unknown      held by ada
                2            coins.120  Production   held by ada  held by ada, refunded
                asked Apple: 1 notifications, 3 transactions; 1 were unknown here, 2 changed; 1 could not be used
                """
        )
        #expect(Self.report().text(all: true).contains("3            coins.120  Production   orphan"))
    }

    @Test func `is of a dry run what would change`() {
        var report = ReconciliationReport(isDryRun: true)
        report.progress.sent = 2
        (report.found.count, report.found.unknown, report.found.received) = (2, 1, 2)
        report.found.transactions = [
            Found.transaction("1", "unknown", nil, wouldBe: "handed in"), Found.transaction("2", "held", nil),
        ]
        #expect(
            report.text(all: true) == """
                TRANSACTION  PRODUCT    ENVIRONMENT  NOW          WOULD BE
                1            coins.120  Production   unknown      handed in
                2            coins.120  Production   held by ada  -
                asked Apple: 0 notifications, 2 transactions; 1 are unknown here, 1 would change; \
                0 could not be used; nothing was handed in
                """
        )
    }

    @Test func `is the figures alone when nothing changed`() {
        let report = ReconciliationReport(isDryRun: false)
        #expect(
            report.text(all: true)
                == "asked Apple: 0 notifications, 0 transactions; 0 were unknown here, 0 changed; "
                + "0 could not be used"
        )
    }

    @Test func `is one object for programs`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var report = Self.report()
        report.problems = ["no key"]
        let text = String(decoding: try encoder.encode(report.object(all: false)), as: UTF8.self)
        let row = #"""
            {"after":{"buyerId":"ada","revoked":false,"state":"held"},"before":{"revoked":false,"state":"unknown"},\#
            "bundleId":"com.example.game","changed":true,"environment":"Production","isUnderWay":false,\#
            "productId":"coins.120","transactionId":"1"}
            """#
        let begin = #"{"changed":2,"dryRun":false,"problems":["no key"],"rows":[\#(row),"#
        #expect(text.hasPrefix(begin))
        let unusable = #"{"notificationUUID":"n1","problem":"badSignature","refused":false}"#
        #expect(
            text.hasSuffix(
                #""serverNotifications":1,"transactions":3,"unknown":1,"unusable":[\#(unusable)]}"#
            )
        )
    }

    @Test func `names many findings that cannot be used as a number`() {
        var report = ReconciliationReport(isDryRun: false)
        report.progress.unusable = (1...25).map { Self.unusable($0) }
        report.progress.unusableCount = 25
        #expect(report.warnings.count == 21)
        #expect(report.warnings.first == "notification n1 cannot be used: badSignature")
        #expect(report.warnings.last == "and 5 more; see --json")
        #expect(!report.isIncomplete)
        report.progress.unusableCount = 30
        #expect(report.object(all: false).problems == ["5 more findings cannot be used and are not listed"])
    }

    @Test func `names what the group did not take, and is not complete then`() {
        var report = ReconciliationReport(isDryRun: false)
        var refused = Self.unusable(1, refused: true)
        (refused.notificationUUID, refused.transactionId) = (nil, "1")
        report.progress.unusable = [refused]
        report.progress.unusableCount = 1
        #expect(report.warnings == ["transaction 1 was not taken: badSignature"])
        #expect(report.isIncomplete)
    }

    @Test(arguments: [
        ("unknown", "unknown"), ("orphan", "orphan"), ("proposed", "proposed"), ("held", "held by ada"),
        ("held, refunded", "held by ada, refunded"),
    ])
    func `says of a claim whose it is and whether it was taken back`(status: String, sentence: String) {
        #expect(Found.status(status).sentence == sentence)
    }
}
