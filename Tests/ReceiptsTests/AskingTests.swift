import AppStore
import Contracts
import Database
import Foundation
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a proof that only Apple can judge` {
    let group: ReceiptsGroup
    let apple: AskedApple
    let home = ReceiptsGroup.partition(of: Sample.alice)

    init() throws { (group, apple) = try ReceiptsGroup.asking() }

    private func configure(_ apis: Set<AppleAPI>, secret: String? = nil) throws {
        group.apple = try apple.settings(apis, secret: secret)
        group.policies[Sample.app] = Sample.policy(apis: apis)
    }

    /// A receipt of iOS 6 for a transaction, as a phone holds it.
    private func receipt(_ transaction: SignedTransaction, date: Int64? = nil) -> String {
        let fields = [
            ("transaction-id", transaction.transactionId), ("product-id", transaction.productId),
            ("original-transaction-id", transaction.originalTransactionId), ("bid", transaction.bundleId),
            ("purchase-date-ms", String(date ?? transaction.purchaseDate)), ("quantity", "1"),
        ]
        let info = "{\n" + fields.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
        let list = "{\n\t\"signature\" = \"AAAA\";\n\t\"purchase-info\" = \"\(Self.base64(info))\";\n}"
        return Self.base64(list)
    }

    /// What `verifyReceipt` answers about the sample.
    private static func verified(_ members: String = "") -> String {
        """
        {"status":0,"receipt":{"bid":"com.example.game","transaction_id":"2000000000000001",
        "original_transaction_id":"2000000000000001","product_id":"coins.100","quantity":"1",
        "purchase_date_ms":"\(Sample.start.milliseconds)"\(members)}}
        """
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private func hand(
        _ transaction: SignedTransaction,
        date: Int64? = nil
    ) throws -> (receipt: ReceiptID, sent: [OutgoingEvent]) {
        let text = receipt(transaction, date: date)
        group.proofs.contents[text] = .failure(.unverified)
        let (outcome, sent) = try group.submit(text, by: Sample.alice, kind: .transactionReceipt)
        return (try #require(outcome.reply?.receiptId), sent)
    }

    private func state() throws -> [[Value]] {
        try group.rows("SELECT state, reason FROM submission", partition: home)
    }

    private func queries() throws -> [[Value]] {
        try group.rows("SELECT query_id FROM apple_query", partition: home)
    }

    @Test func `is parked where nobody may be asked`() throws {
        try configure([])
        let (_, sent) = try hand(Sample.transaction())
        #expect(try sent.bodies(ReceiptAcceptedV1.self).map(\.verdict) == [.parked])
        #expect(try state() == [["parked", "unverified"]])
        #expect(try queries().isEmpty)
    }

    @Test func `is pending until the API answers, and then goes to its claim with Apple's own words`()
        async throws
    {
        let transaction = Sample.transaction(token: Sample.token)
        apple.knows(transaction)
        let (receipt, sent) = try hand(transaction)
        let accepted = try #require(try sent.bodies(ReceiptAcceptedV1.self).first)
        #expect((accepted.verdict, accepted.reason) == (.pending, "askingApple"))
        #expect(sent.count == 1)
        #expect(try state() == [["pending", "askingApple"]])

        let asked = try await group.askApple(home)
        #expect(asked.jobs.contains("com.example.game/serverAPI/proof/\(receipt.rawValue)"))
        let verified = try #require(try asked.sent.bodies(TransactionVerifiedV1.self).first)
        #expect(verified.transaction.appAccountToken == Sample.token)
        #expect(verified.submission?.receiptId == receipt)
        #expect(try asked.sent.bodies(ReceiptAcceptedV1.self).map(\.transactions.count) == [1])
        #expect(try state() == [["verified", .null]])
        #expect(try queries().isEmpty)
        #expect(try await group.askApple(home).jobs.allSatisfy { !$0.contains("/proof/") })
    }

    @Test func `travels again by the answer when it is handed in again, and Apple is not asked twice`()
        async throws
    {
        apple.knows(Sample.transaction())
        let first = try hand(Sample.transaction())
        try await group.askApple(home)
        let calls = apple.calls.count
        let again = try hand(Sample.transaction())
        #expect(again.receipt == first.receipt)
        #expect(try again.sent.bodies(TransactionVerifiedV1.self).count == 1)
        #expect(try queries().isEmpty)
        #expect(apple.calls.count == calls)
    }

    @Test func `waits through an outage, however long, and is granted after it`() async throws {
        apple.knows(Sample.transaction())
        apple.mood = .down
        _ = try hand(Sample.transaction())
        for _ in 0..<50 {
            let asked = try await group.askApple(home)
            #expect(asked.sent.isEmpty)
            group.pass(11_000, with: apple)
        }
        #expect(try state() == [["pending", "askingApple"]])
        apple.mood = .well
        #expect(try await group.askApple(home).sent.count == 2)
        #expect(try state() == [["verified", .null]])
    }

    @Test func `of which there are many costs few calls while Apple is down`() async throws {
        apple.mood = .down
        for number in 1...90 { _ = try hand(Sample.transaction("\(number)")) }
        for _ in 0..<10 {
            try await group.askApple(home)
            group.pass(1_000, with: apple)
        }
        // Three attempts of the first jobs open the circuit; then one at a time looks whether Apple is back.
        #expect(apple.calls.count < 60)
        #expect(try queries().count == 90)
    }

    @Test func `is an alarm and not a loss when Apple does not take the key`() async throws {
        apple.mood = .refusesKey
        apple.knows(Sample.transaction())
        _ = try hand(Sample.transaction())
        let item = try #require(try group.due("/proof/", home).first)
        let alarms = try group.finish(item, try await group.perform(item), home).outcome
        #expect(alarms.count == 1)
        #expect(alarms.first?.contains("401") == true)
        #expect(try state() == [["pending", "askingApple"]])
        apple.mood = .well
        group.pass(20_000, with: apple)
        #expect(try await group.askApple(home).sent.count == 2)
    }

    @Test func `that tells of a purchase otherwise than Apple is parked: its writer guessed the id`()
        async throws
    {
        apple.knows(Sample.transaction())
        _ = try hand(Sample.transaction(), date: Sample.start.milliseconds + 1)
        let asked = try await group.askApple(home)
        #expect(try asked.sent.bodies(TransactionVerifiedV1.self).isEmpty)
        #expect(try state() == [["parked", "contradicted"]])
    }

    @Test func `of a transaction that Apple does not know is asked about five times, then parked`()
        async throws
    {
        _ = try hand(Sample.transaction())
        var attempts = 0
        while try state() == [["pending", "askingApple"]], attempts < 20 {
            attempts += try await group.askApple(home).jobs.count { $0.contains("/proof/") }
            group.pass(AppleQuery.unknownPauses.last ?? 0, with: apple)
        }
        #expect(attempts == 5)
        #expect(try state() == [["parked", "unknownToApple"]])

        // Told again after another store was restored, it is what it was; nobody asks.
        let told = try redriven()
        #expect(told.map(\.reason) == ["unknownToApple"])
        #expect(try queries().isEmpty)

        // An operator who put the key right has it asked about again.
        apple.knows(Sample.transaction())
        _ = try group.retry(partition: home)
        #expect(try await group.askApple(home).sent.count == 2)
        #expect(try state() == [["verified", .null]])
    }

    @Test func `is told by verifyReceipt where that is what is configured`() async throws {
        try configure([.verifyReceipt])
        let (receipt, _) = try hand(Sample.transaction())
        try await group.askApple(home)
        #expect(try state() == [["pending", "askingApple"]])
        apple.receipt = Self.verified()
        group.pass(20_000, with: apple)
        let asked = try await group.askApple(home)
        let verified = try #require(try asked.sent.bodies(TransactionVerifiedV1.self).first)
        #expect(verified.transaction.transactionId == "2000000000000001")
        #expect(verified.submission?.receiptId == receipt)
        #expect(try state() == [["verified", .null]])
    }

    @Test(arguments: [("adam_id", 8), ("app_item_id", 8), ("adam_id", 7), ("adam_id", 0)])
    func `is parked where verifyReceipt tells of another app's number`(name: String, told: Int) async throws {
        try configure([.verifyReceipt])
        group.policies[Sample.app] = Sample.policy(appAppleId: 7, apis: [.verifyReceipt])
        _ = try hand(Sample.transaction())
        apple.receipt = Self.verified(#","\#(name)":"\#(told)""#)
        try await group.askApple(home)
        #expect(try state() == [told == 8 ? ["parked", "wrongApp"] : ["verified", .null]])
    }

    @Test func `that Apple refuses is parked where the shared secret may be what is missing`() async throws {
        try configure([.verifyReceipt])
        apple.receipt = #"{"status":21003}"#
        _ = try hand(Sample.transaction())
        for _ in 1...VerifyReceiptOutcome.unauthenticatedRefusals {
            try await group.askApple(home)
            group.pass(AppleQuery.doubtPauses.last ?? 0, with: apple)
        }
        #expect(try state() == [["parked", "undecidedByApple"]])
    }

    @Test func `is invalid only after Apple refused it again and again, over an hour`() async throws {
        try configure([.verifyReceipt], secret: "0123456789abcdef")
        let pauses = AppleQuery.doubtPauses.prefix(VerifyReceiptOutcome.malformedRefusals - 1)
        #expect(pauses.reduce(0, +) > 3_600_000)
        apple.receipt = #"{"status":21002}"#
        _ = try hand(Sample.transaction())
        for attempt in 1...VerifyReceiptOutcome.malformedRefusals {
            #expect(try state() == [["pending", "askingApple"]], "before attempt \(attempt)")
            try await group.askApple(home)
            group.pass(AppleQuery.doubtPauses.last ?? 0, with: apple)
        }
        #expect(try state() == [["invalid", "refusedByApple"]])
        // Handed in again, or told again, it is what Apple said; nobody asks.
        let again = try hand(Sample.transaction()).sent.bodies(ReceiptAcceptedV1.self)
        #expect(again.map(\.verdict) == [.invalid])
        #expect(try queries().isEmpty)
        #expect(try redriven().map(\.reason) == ["refusedByApple"])
    }

    /// What Notifications is told of the submissions when its store was restored.
    private func redriven() throws -> [ReceiptAcceptedV1] {
        try group.redrive(from: home, to: .notifications, home).sent.bodies(ReceiptAcceptedV1.self)
    }

    @Test func `finds its query again after the process died with the answer in hand`() async throws {
        apple.knows(Sample.transaction())
        _ = try hand(Sample.transaction())
        let item = try #require(try group.due("/proof/", home).first)
        _ = try await group.perform(item)
        // Here it died. Its successor does the same item again, and both results are written once.
        #expect(try group.due("/proof/", home).map(\.key) == [item.key])
        let result = try await group.perform(item)
        #expect(try group.finish(item, result, home).sent.count == 2)
        #expect(try group.finish(item, result, home).sent.isEmpty)
    }

    @Test func `of one buyer finds no room above the bound, and the phone is told to come again`() throws {
        for number in 1...SubmissionQuota.maximumAsking {
            _ = try hand(Sample.transaction("\(number)"))
        }
        let text = receipt(Sample.transaction("0"))
        group.proofs.contents[text] = .failure(.unverified)
        let refused = try group.submit(text, by: Sample.alice, kind: .transactionReceipt)
        #expect(refused.outcome.refusal?.code == .busy)
        #expect(refused.sent.isEmpty)
    }

    @Test func `keeps no other one waiting if its question cannot be read, and its own rests with an alarm`()
        async throws
    {
        apple.knows(Sample.transaction("1"), Sample.transaction("2"))
        let (broken, whole) = (try hand(Sample.transaction("1")), try hand(Sample.transaction("2")))
        let id = AppleQuery.id(of: .proof(broken.receipt), in: Sample.app)
        try group.execute("UPDATE apple_query SET content = 'none' WHERE query_id = \(id)", in: home)
        let due = try group.due("/proof/", home)
        #expect(due.count == 2)
        let item = try #require(due.first { $0.key.hasSuffix(broken.receipt.rawValue) })
        let result = try await group.perform(item)
        #expect(throws: (any Error).self) { try group.finish(item, result, home) }
        let other = try #require(due.first { $0.key.hasSuffix(whole.receipt.rawValue) })
        let answer = try await group.perform(other)
        #expect(try group.finish(other, answer, home).sent.count == 2)
        #expect(try queries() == [[.text(id)]], "nothing is lost")
    }

    @Test func `comes behind what is asked about a genuine receipt, whatever kind it is`() throws {
        for number in 1...(2 * AppleWorker.concurrencyOfQueue) {
            let text = "forged \(number)"
            group.proofs.contents[text] = .failure(.untrusted)
            _ = try group.submit(text, by: Sample.alice, kind: .appReceipt)
        }
        group.pass(1, with: apple)
        group.proofs.contents["genuine"] = .success([Sample.transaction()])
        _ = try group.submit("genuine", by: Sample.alice, kind: .appReceipt)
        let first = try group.due("serverAPI/", home).first { !$0.key.contains("serverNotifications") }
        #expect(first?.key.contains("/evidence/") == true)
    }

    @Test func `is asked about again as soon as the clock is right that has put it off`() async throws {
        apple.knows(Sample.transaction())
        apple.mood = .down
        _ = try hand(Sample.transaction())
        group.pass(30 * 86_400_000, with: apple)
        try await group.askApple(home)
        apple.mood = .well
        group.pass(5_000 - 30 * 86_400_000, with: apple)
        try await group.askApple(home)
        #expect(try state() == [["verified", .null]])
        #expect(try queries().isEmpty)
    }

    @Test func `pauses each endpoint as long as Apple wants of that one`() async throws {
        let (long, short) = (Sample.start.advanced(by: 1_800_000), Sample.start.advanced(by: 60_000))
        apple.limited = ["api:/inApps/v1/transactions/": long, "api:/inApps/v2/history/": short]
        try group.askHistory(of: "700", in: home)
        _ = try hand(Sample.transaction())
        try await group.askApple(home)
        let paused = try #require(group.apple).access.pausedEndpoints(
            of: AppleQueryQueue(bundleID: Sample.app, api: .serverAPI),
            partition: home,
            now: Sample.start
        )
        #expect(paused[.transactionHistory] == short)
        #expect(paused[.transactionInfo] == long)
    }

    @Test func `is found by index when it is due, also by a clock that was wrong`() throws {
        let times = AppleQuery.due(at: Sample.start)
        var ranges: [SQL] = [times.later(than: "due_at")]
        _ = try times.rows(by: "due_at", limit: 9) { range throws(StoreError) -> [AppleQuery] in
            ranges.append(range)
            return []
        }
        #expect(ranges.count == 3)
        for range in ranges {
            let condition: SQL = "bundle_id = \(Sample.app) AND api = \(AppleAPI.serverAPI) AND urgency = 0"
            let plan = try group.plan(of: "SELECT content FROM apple_query WHERE \(condition) AND \(range)")
            #expect(plan.count == 1 && plan[0].contains("apple_query_due (bundle_id=? AND api=?"), "\(plan)")
        }
    }
}
