import Contracts
import Delivery
import Foundation
import Testing

@testable import Control

@Suite struct `what reconciling prints` {
    typealias Apple = AppleFindings

    private static func key(_ facts: TransactionFacts) -> FoundTransaction.Key { FoundTransaction(facts).key }

    /// One transaction that came, one that was refunded, one that stayed, one that cannot be used.
    private static func report(isDryRun: Bool = false) -> ReconciliationReport {
        var report = ReconciliationReport(isDryRun: isDryRun)
        let facts = ["1", "2", "3"].map { Apple.facts(Apple.id($0)) }
        _ = report.take(
            facts.map(Apple.transaction) + [
                Apple.broken(Apple.notification("n1"), "badSignature")
            ]
        )
        report.note(before: [
            key(facts[0]): Standing(nil), key(facts[1]): Standing(Apple.held(facts[1].transactionId)),
            key(facts[2]): Standing(Apple.claim(facts[2].transactionId, "orphan")),
        ])
        report.note(after: [
            key(facts[0]): Standing(Apple.held(facts[0].transactionId)),
            key(facts[1]): Standing(Apple.held(facts[1].transactionId, isRevoked: true)),
            key(facts[2]): Standing(Apple.claim(facts[2].transactionId, "orphan")),
        ])
        return report
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
            "bundleId":"com.example.game","changed":true,"environment":"Production","productId":"coins.120",\#
            "transactionId":"1"}
            """#
        #expect(
            text.hasPrefix(
                #"{"changed":2,"dryRun":false,"notifications":1,"problems":["no key"],"rows":[\#(row),"#
            )
        )
        let unusable = #"{"notificationUUID":"n1","problem":"badSignature","refused":false}"#
        #expect(text.hasSuffix(#""transactions":3,"unknown":1,"unusable":[\#(unusable)]}"#))
    }

    @Test func `names many findings that cannot be used as a number`() {
        var report = ReconciliationReport(isDryRun: false)
        _ = report.take((1...25).map { Apple.broken(Apple.notification("n\($0)"), "badSignature") })
        #expect(report.warnings.count == 21)
        #expect(report.warnings.last == "and 5 more; see --json")
    }

    @Test func `says of a claim whose it is and whether it was taken back`() {
        let first = Apple.id("1")
        #expect(Standing(nil).sentence == "unknown")
        #expect(Standing(Apple.claim(first, "orphan")).sentence == "orphan")
        #expect(Standing(Apple.claim(first, "proposed")).sentence == "proposed")
        #expect(Standing(Apple.held(first)).sentence == "held by ada")
        #expect(Standing(Apple.held(first, isRevoked: true)).sentence == "held by ada, refunded")
    }

    @Test func `goes by the newest of what Apple said about one transaction`() throws {
        let first = Apple.id("1")
        let refund = Apple.facts(first, signed: Apple.late, isRevoked: true)
        let purchase = Apple.facts(first, signed: Apple.early)
        for order in [[refund, purchase], [purchase, refund]] {
            var report = ReconciliationReport(isDryRun: true)
            _ = report.take(order.map(Apple.transaction))
            report.note(before: [Self.key(refund): Standing(Apple.held(first, signed: Apple.early))])
            #expect(report.rows(all: false).map(\.prospect) == ["refunded"])
        }
    }
}

@Suite struct `questions about claims` {
    @Test func `are few, and each goes to the partition that knows`() {
        let found = (1...450).map {
            FoundTransaction(
                AppleFindings.facts(AppleFindings.id(String($0)), in: $0 % 9 == 0 ? .sandbox : .production)
            )
        }
        let questions = ClaimQuestions(found, partitions: 2).all
        #expect(questions.allSatisfy { $0.request.transactionIds.count <= ClaimQuestions.maximumCount })
        #expect(questions.count <= 8)
        let asked = questions.flatMap { question in
            question.request.transactionIds.map { (question.address, question.request.environment, $0) }
        }
        #expect(asked.count == 450)
        for transaction in found {
            let address = transaction.address(partitions: 2)
            let isAsked = asked.contains {
                $0 == (address, transaction.key.environment, transaction.key.transactionID)
            }
            #expect(isAsked, "\(transaction.key)")
        }
    }
}
