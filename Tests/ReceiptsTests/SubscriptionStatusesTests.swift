import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `the statuses of subscriptions` {
    private static let day: Int64 = 86_400_000

    let group: ReceiptsGroup
    let apple: AskedApple
    let period = Sample.transaction("1", type: "Auto-Renewable Subscription")
        .with(\.expiresDate, Sample.start.milliseconds + Self.day)

    init() throws { (group, apple) = try ReceiptsGroup.asking(environments: [.production]) }

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

    /// Alice holds the subscription, whose period has ended an hour ago.
    private func holdPastEnd() throws {
        try group.verifyAndHold(period)
        group.pass(Self.day + 3_600_000, with: apple)
        apple.knows(period)
    }

    private func ask() async throws -> [OutgoingEvent] {
        try await group.askApple(ReceiptsGroup.partition(of: period)).sent
    }

    @Test func `make up for a lost notification of a grace period when the period has ended`() async throws {
        try holdPastEnd()
        apple.statuses = [(period, renewal())]
        let sent = try await ask()
        #expect(try renewals(sent) == [Sample.start.milliseconds + 17 * Self.day])
        #expect(apple.calls.contains { $0.hasPrefix("api:/inApps/v1/subscriptions/1") })
        #expect(apple.calls.contains { $0.hasPrefix("api:/inApps/v2/history/1") })
    }

    @Test func `say of a commitment whether another one follows, and the rest as Apple says it`() async throws
    {
        try holdPastEnd()
        let text = """
            {"originalTransactionId":"1","environment":"Production","autoRenewStatus":1,"expirationIntent":2,\
            "renewalPrice":9990,"currency":"EUR","priceIncreaseStatus":0,\
            "commitmentInfo":{"commitmentAutoRenewStatus":0},"signedDate":\(group.now.milliseconds)}
            """
        apple.statuses = [(period, text)]
        let verified = try await ask().filter { $0.type == TransactionVerifiedV1.type }
        let updates = try group.deliver(verified).bodies(SubscriptionUpdatedV1.self)
        let renewal = try #require(updates.first?.renewal)
        #expect(renewal.autoRenewStatus == 0 && renewal.expirationIntent == 2)
        #expect(renewal.renewalPrice == 9_990 && renewal.currency == "EUR")
        #expect(renewal.priceIncreaseStatus == 0)
    }

    @Test func `are asked when a status contradicts, and their own status asks nobody again`() async throws {
        try group.verifyAndHold(period)
        apple.knows(period)
        apple.statuses = [(period, renewal())]
        _ = try group.verify(period, status: SubscriptionStatus.gracePeriod.rawValue)
        let sent = try await ask()
        #expect(try renewals(sent) == [Sample.start.milliseconds + 17 * Self.day])
        #expect(try group.rows("SELECT 1 FROM apple_query", of: period).isEmpty)
    }

    @Test(arguments: [("2", "Production"), ("1", "Sandbox")])
    func `are taken without a renewal that is another subscription's, or another environment's`(
        chain: String,
        environment: String
    ) async throws {
        try holdPastEnd()
        apple.statuses = [(period, renewal(chain, environment: environment))]
        let sent = try await ask()
        #expect(try renewals(sent).isEmpty)
    }

    @Test func `that Apple does not have leave what the history says`() async throws {
        try holdPastEnd()
        let end = Sample.start.milliseconds + 2 * Self.day
        apple.knows(period.with(\.transactionId, "2").with(\.expiresDate, end))
        #expect(try await ask().verified == ["1", "2"])
    }
}
