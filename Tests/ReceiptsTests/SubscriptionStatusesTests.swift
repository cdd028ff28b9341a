import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `the statuses of subscriptions` {
    private static let day: Int64 = 86_400_000

    let group: ReceiptsGroup
    let apple: AskedApple
    let period: SignedTransaction

    init() throws {
        group = try ReceiptsGroup()
        apple = try AskedApple()
        group.apple = try apple.settings([.serverAPI])
        group.policies[Sample.app] = Sample.policy(environments: [.production], apis: [.serverAPI])
        var period = Sample.transaction("1", type: "Auto-Renewable Subscription")
        period.expiresDate = Sample.start.milliseconds + Self.day
        self.period = period
    }

    private func renewal(_ chain: String = "1", environment: String = "Production") -> String {
        """
        {"originalTransactionId":"\(chain)","environment":"\(environment)","autoRenewStatus":1,\
        "isInBillingRetryPeriod":true,"gracePeriodExpiresDate":\(Sample.start.milliseconds + 17 * Self.day),\
        "signedDate":\(group.now.milliseconds)}
        """
    }

    /// What is told Entitlements of renewals by what was sent to claims.
    private func renewals(_ sent: [OutgoingEvent]) throws -> [Int64?] {
        try group.deliver(sent.filter { $0.type == TransactionVerifiedV1.type })
            .bodies(SubscriptionUpdatedV1.self).map { $0.renewal?.gracePeriodExpiresDate?.milliseconds }
    }

    private func hold() throws {
        _ = try group.verify(period, Sample.byAlice)
        _ = try group.hold(period)
    }

    @Test func `make up for a lost notification of a grace period when the period has ended`() async throws {
        try hold()
        group.pass(Self.day + 3_600_000, with: apple)
        apple.knows(period)
        apple.statuses = [(period, renewal())]
        let sent = try await group.askApple(ReceiptsGroup.partition(of: period)).sent
        #expect(try renewals(sent) == [Sample.start.milliseconds + 17 * Self.day])
        #expect(apple.calls.contains { $0.hasPrefix("api:/inApps/v1/subscriptions/1") })
        #expect(apple.calls.contains { $0.hasPrefix("api:/inApps/v2/history/1") })
    }

    @Test func `say of a commitment whether another one follows, and the rest as Apple says it`() async throws
    {
        try hold()
        group.pass(Self.day + 3_600_000, with: apple)
        apple.knows(period)
        let text = """
            {"originalTransactionId":"1","environment":"Production","autoRenewStatus":1,"expirationIntent":2,\
            "renewalPrice":9990,"currency":"EUR","priceIncreaseStatus":0,\
            "commitmentInfo":{"commitmentAutoRenewStatus":0},"signedDate":\(group.now.milliseconds)}
            """
        apple.statuses = [(period, text)]
        let sent = try await group.askApple(ReceiptsGroup.partition(of: period)).sent
        let verified = sent.filter { $0.type == TransactionVerifiedV1.type }
        let updates = try group.deliver(verified).bodies(SubscriptionUpdatedV1.self)
        let renewal = try #require(updates.first?.renewal)
        #expect(renewal.autoRenewStatus == 0 && renewal.expirationIntent == 2)
        #expect(renewal.renewalPrice == 9_990 && renewal.currency == "EUR")
        #expect(renewal.priceIncreaseStatus == 0)
    }

    @Test func `are asked when a status contradicts, and their own status asks nobody again`() async throws {
        try hold()
        apple.knows(period)
        apple.statuses = [(period, renewal())]
        _ = try group.verify(period, status: SubscriptionStatus.gracePeriod.rawValue)
        let partition = ReceiptsGroup.partition(of: period)
        let sent = try await group.askApple(partition).sent
        #expect(try renewals(sent) == [Sample.start.milliseconds + 17 * Self.day])
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: partition).isEmpty)
    }

    @Test(arguments: [("2", "Production"), ("1", "Sandbox")])
    func `are taken without a renewal that is another subscription's, or another environment's`(
        chain: String,
        environment: String
    ) async throws {
        try hold()
        group.pass(Self.day + 3_600_000, with: apple)
        apple.knows(period)
        apple.statuses = [(period, renewal(chain, environment: environment))]
        let sent = try await group.askApple(ReceiptsGroup.partition(of: period)).sent
        #expect(try renewals(sent).isEmpty)
    }

    @Test func `that Apple does not have leave what the history says`() async throws {
        try hold()
        group.pass(Self.day + 3_600_000, with: apple)
        var next = period
        next.transactionId = "2"
        next.expiresDate = Sample.start.milliseconds + 2 * Self.day
        apple.knows(period, next)
        let sent = try await group.askApple(ReceiptsGroup.partition(of: period)).sent
        let found = try sent.bodies(TransactionVerifiedV1.self).map(\.transaction.transactionId)
        #expect(found == ["1", "2"])
    }
}
