import Contracts
import Database
import Domain
import Foundation
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `what was missed` {
    let group: ReceiptsGroup
    let apple: AskedApple

    init() throws { (group, apple) = try ReceiptsGroup.asking(environments: [.production]) }

    private var reader: Int {
        PartitionKey.serverNotification(Sample.app.rawValue).shard.partition(of: ReceiptsGroup.partitions)
    }

    private func lookUp(_ transaction: SignedTransaction) throws -> Int {
        let body = PaymentLookupV1(
            bundleId: Sample.app,
            buyerId: Sample.alice,
            environment: .production,
            transactionId: TransactionID(unchecked: transaction.transactionId),
            since: Sample.start
        )
        let partition = ReceiptsGroup.partition(of: Sample.alice)
        let handler = OnPaymentLookup(policies: group.policies).callAsFunction
        #expect(try group.handle(body, in: partition, handler).outcome == .applied)
        return partition
    }

    /// What a partition asks beside the reading of notifications.
    private func ask(_ partition: Int) async throws -> [OutgoingEvent] {
        try await group.askApple(partition).sent.filter { $0.type == TransactionVerifiedV1.type }
    }

    @Test func `of a buyer with an open order is in Apple's history, and goes to its claim`() async throws {
        let lost = Sample.transaction("2", token: Sample.order.rawValue)
        apple.knows(Sample.transaction("1"), lost)
        let partition = try lookUp(Sample.transaction("1"))
        let sent = try await ask(partition)
        #expect(try sent.verified == ["1", "2"])
        #expect(try sent.bodies(TransactionVerifiedV1.self).allSatisfy { $0.submission == nil })
        #expect(apple.calls.contains { $0.contains("startDate=\(Sample.start.milliseconds - 3_600_000)") })
        #expect(try await ask(partition).isEmpty)
    }

    @Test func `of a receipt's purchase is a refund under any of its ids, and nobody else's refund`()
        async throws
    {
        let bought = `a purchase of several transactions`.castle("1", signed: 10)
        let refund = `a purchase of several transactions`.castle("2", signed: 30, refunded: true)
        apple.knows(refund, Sample.transaction("9", refunded: true))
        group.proofs.contents["receipt"] = .success([bought])
        _ = try group.submit("receipt", by: Sample.alice, kind: .appReceipt)
        let news = try await ask(ReceiptsGroup.partition(of: Sample.alice)).bodies(TransactionVerifiedV1.self)
        #expect(news.map(\.transaction.transactionId) == ["2"])
        #expect(news.map(\.submission) == [nil])
    }

    @Test func `of an Apple Account's receipt is asked about though another account's follows`() throws {
        func asked(_ receipt: String, _ listed: String...) throws -> Int {
            group.proofs.contents[receipt] = .success(listed.map { Sample.transaction($0) })
            _ = try group.submit(receipt, by: Sample.alice, kind: .appReceipt)
            let asked = "SELECT 1 FROM apple_query WHERE query_id LIKE 'evidence/%'"
            return try group.rows(asked, of: Sample.alice).count
        }
        #expect(try asked("first account", "1", "2") == 1)
        #expect(try asked("second account", "3") == 2)
        #expect(try asked("first account, later", "1", "2", "4") == 2, "it lists all of the earlier one")
        #expect(try asked("second account, later", "3", "5") == 2)
    }

    @Test(arguments: [(7, 1), (8, 0), (nil, 1)] as [(Int64?, Int)])
    func `is not taken from a page that bears another app's number`(told: Int64?, count: Int) async throws {
        group.apple = try apple.settings([.serverAPI], appAppleId: 7)
        apple.knows(Sample.transaction("2"))
        apple.appAppleId = told
        #expect(try await ask(try lookUp(Sample.transaction("1"))).count == count)
    }

    @Test func `comes to one claim on every path, whichever id each of them names`() async throws {
        typealias Castle = `a purchase of several transactions`
        group.proofs.contents["proof"] = .success([Castle.first])
        group.notificationReader.contents["notification"] = .success(
            `a server notification`.notification(Castle.second)
        )
        apple.knows(Castle.castle("3", signed: 5))
        let history = try lookUp(Castle.first)
        var paths = [
            try group.submit("proof", by: Sample.alice).sent,
            try group.deliver("uuid-1", "notification").sent,
        ]
        paths.append(try await ask(history))
        let found = TransactionFoundV1(
            reconciliationId: EventID(unchecked: "r-1"),
            transaction: Castle.castle("4", signed: 40, refunded: true),
            action: .submit
        )
        let partition = ReceiptsGroup.partition(of: found.transaction)
        paths.append(try group.handle(found, in: partition, OnTransactionFound().callAsFunction).sent)
        for path in paths { _ = try group.deliver(path) }
        let claims = try group.rows("SELECT purchase_id, revoked FROM claim", of: Castle.first)
        #expect(claims == [[.text("1"), .integer(1)]])
    }

    @Test func `is asked for again when it is asked for again while the answer is on its way`() async throws {
        let partition = try lookUp(Sample.transaction("1"))
        let item = try #require(try group.due("history/", partition).first)
        let result = try await group.perform(item)
        group.pass(1, with: apple)
        _ = try lookUp(Sample.transaction("1"))
        _ = try group.finish(item, result, partition)
        #expect(try group.due("history/", partition).count == 1)
    }

    @Test func `is not asked for where no key is configured, and nothing is kept of it`() throws {
        group.policies[Sample.app] = Sample.policy(environments: [.production], apis: [])
        let partition = try lookUp(Sample.transaction("1"))
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: partition).isEmpty)
    }

    // MARK: Hints

    private func hint(
        _ password: String?,
        secret: String?
    ) throws -> RequestOutcome<ServerNotificationHintedV1> {
        let body = ServerNotificationHintV1(
            bundleId: Sample.app,
            environment: .production,
            originalTransactionId: TransactionID(unchecked: "1"),
            password: password
        )
        let secrets = [Sample.app: secret].compactMapValues(\.self)
        let handler = OnServerNotificationHint(policies: group.policies, secrets: secrets)
        let partition = ReceiptsGroup.partition(of: Sample.transaction("1"))
        return try group.handle(body, in: partition, handler.callAsFunction).outcome
    }

    @Test func `is asked for because of a hint, and a refund is found`() async throws {
        let taken = try hint("0123456789abcdef", secret: "0123456789abcdef")
        #expect(taken.reply?.originalTransactionId.rawValue == "1")
        apple.knows(Sample.transaction("1", signed: 60, refunded: true))
        let sent = try await ask(ReceiptsGroup.partition(of: Sample.transaction("1")))
        let found = try sent.bodies(TransactionVerifiedV1.self).map(\.transaction.revocationDate)
        #expect(found.map { $0 != nil } == [true])
    }

    @Test(
        arguments: [
            (nil, "0123456789abcdef", .serverAPI), ("0123456789abcdeg", "0123456789abcdef", .serverAPI),
            ("0123456789abcdef", "0123456789abcdef", nil), (nil, nil, .serverAPI),
            ("0123456789abcdef", nil, .serverAPI),
        ] as [(String?, String?, AppleAPI?)]
    )
    func `is not asked for on the word of one who does not know the shared secret, or without secret or key`(
        password: String?,
        secret: String?,
        api: AppleAPI?
    ) throws {
        let apis = Set([api].compactMap(\.self))
        group.policies[Sample.app] = Sample.policy(environments: [.production], apis: apis)
        #expect(try hint(password, secret: secret).refusal?.code == .busy)
        #expect(try group.rows("SELECT 1 FROM apple_query", of: Sample.transaction("1")).isEmpty)
    }

    // MARK: Notifications

    private func readUntil() throws -> Timestamp? {
        try group.run(reader) { context in
            try HistoryCursorStore(connection: context.connection).cursor(Sample.app, .production)?.readUntil
        }.outcome
    }

    @Test func `by way of a notification stands in Apple's list, which is read from the mark on`()
        async throws
    {
        try await group.askApple(reader)
        #expect(try readUntil() == Sample.start)
        #expect(apple.calls.isEmpty)

        apple.notifications = [try apple.notification("u-1", Sample.transaction("5")), "rubbish"]
        group.pass(600_000, with: apple)
        let sent = try await group.askApple(reader).sent
        let recovered = try sent.bodies(ServerNotificationRecoveredV1.self)
        #expect(recovered.map(\.identifier) == ["u-1"])
        let place = PartitionKey.serverNotification("u-1").shard.partition(of: ReceiptsGroup.partitions)
        #expect(sent.map(\.to.partition) == [place])
        #expect(apple.bodies.last?.contains(#""onlyFailures":true"#) == true)

        // Taken once, whether it was delivered or found.
        group.notificationReader.contents[recovered[0].signedPayload] = .success(
            `a server notification`.notification(Sample.transaction("5"), id: "u-1")
        )
        let handler = OnServerNotificationRecovered(workflow: group.service.serverNotifications)
        let first = try group.handle(recovered[0], in: 0, handler.callAsFunction)
        let second = try group.handle(recovered[0], in: 0, handler.callAsFunction)
        #expect(try first.sent.verified == ["5"])
        #expect(second.outcome == .applied && second.sent.isEmpty)
    }

    @Test func `while Apple was down is read from the old mark on`() async throws {
        try await group.askApple(reader)
        apple.mood = .down
        for _ in 0..<5 {
            group.pass(600_000, with: apple)
            try await group.askApple(reader)
        }
        #expect(try readUntil() == Sample.start)
        apple.mood = .well
        group.pass(60_000, with: apple)
        try await group.askApple(reader)
        #expect(try readUntil() == group.now)
        #expect(apple.bodies.last?.contains("\"startDate\":\(Sample.start.milliseconds - 3_600_000)") == true)
    }

    // MARK: Subscriptions

    private static let day: Int64 = 86_400_000

    /// A period of the subscription 1 that ends so many days after the start.
    private static func period(_ id: String, days: Int64) -> SignedTransaction {
        Sample.transaction(id, original: "1", type: "Auto-Renewable Subscription", purchased: days)
            .with(\.expiresDate, Sample.start.milliseconds + days * day)
    }

    @Test func `of a subscription is asked for an hour after its end, once a renewal is known never`()
        async throws
    {
        let first = Self.period("1", days: 1)
        let partition = ReceiptsGroup.partition(of: first)
        _ = try group.verify(first)
        #expect(try await ask(partition).isEmpty)
        group.pass(Self.day + 3_600_000, with: apple)
        let renewal = Self.period("2", days: 2)
        apple.knows(first, renewal)
        #expect(try await ask(partition).verified == ["1", "2"])
        _ = try group.verify(renewal)
        #expect(try await ask(partition).isEmpty)
        let checks = "SELECT purchase_id FROM claim WHERE renewal_check_at IS NOT NULL"
        #expect(try group.rows(checks, of: first) == [["2"]])
    }

    @Test func `of a subscription is asked for once a day, though Apple signs each answer anew`() async throws
    {
        let first = Self.period("1", days: 1)
        let partition = ReceiptsGroup.partition(of: first)
        _ = try group.verify(first)
        group.pass(Self.day + 3_600_000, with: apple)
        apple.knows(first)
        for day in 1...3 as ClosedRange<Int64> {
            #expect(try await ask(partition).verified == ["1"])
            _ = try group.verify(first.with(\.signedDate, first.signedDate + (day + 1) * Self.day))
            #expect(try await ask(partition).isEmpty)
            group.pass(Self.day, with: apple)
        }
    }

    @Test(arguments: [2, 100] as [Int64])
    func `of a subscription is asked for in time, though a clock was days ahead`(days: Int64) async throws {
        let first = Self.period("1", days: 1)
        apple.knows(first)
        let partition = ReceiptsGroup.partition(of: first)
        _ = try group.verify(first)
        group.pass(days * Self.day, with: apple)
        _ = try await ask(partition)
        group.pass(1_000 - days * Self.day, with: apple)
        _ = try await ask(partition)
        #expect(try await ask(partition).isEmpty, "once more, and then not before its time")
        apple.knows(Self.period("2", days: 2))
        group.pass(Self.day + 3_600_000, with: apple)
        #expect(try await ask(partition).verified == ["1", "2"])
    }

    @Test func `of subscriptions are found by index when they are due`() throws {
        let time = Sample.start
        let ranges: [SQL] = [
            "renewal_check_at <= \(time) ORDER BY renewal_check_at",
            "renewal_check_at > \(time) ORDER BY renewal_check_at",
            RenewalCheck.repeated(at: time).later(than: "renewal_check_at"),
        ]
        for range in ranges {
            let rows: SQL = "bundle_id = \(Sample.app) AND renewal_check_stage = 'first' AND \(range)"
            let plan = try group.plan(of: "SELECT purchase_id FROM claim WHERE \(rows)")
            let index = "claim_renewal_check (bundle_id=? AND renewal_check_stage=?"
            #expect(plan.count == 1 && plan[0].contains(index))
        }
    }
}
