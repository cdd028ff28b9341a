import Contracts
import Database
import Domain
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `a server notification` {
    let group = ReceiptsGroup()
    let signed = Sample.transaction("1")

    static func notification(
        _ transaction: SignedTransaction?,
        id: String = "uuid-1",
        type: String = "ONE_TIME_CHARGE",
        bundleId: String? = Sample.app.rawValue,
        appAppleId: Int64? = nil,
        environment: Environment = .production
    ) -> ServerNotification {
        ServerNotification(
            notificationUUID: id,
            type: type,
            bundleId: bundleId,
            appAppleId: appAppleId,
            environment: environment,
            transaction: transaction
        )
    }

    private func deliver(
        _ notification: ServerNotification
    ) throws -> (outcome: RequestOutcome<ServerNotificationDeliveredV1>, sent: [OutgoingEvent]) {
        group.notificationReader.contents["n"] = .success(notification)
        return try group.deliver("uuid-1", "n")
    }

    private func states() throws -> [Value] {
        try group.rows("SELECT state || ' ' || COALESCE(reason, '-') FROM server_notification", partition: 0)
            .flatMap(\.self)
    }

    @Test func `sends its transaction to its claim, on nobody's behalf`() throws {
        let (outcome, sent) = try deliver(Self.notification(signed))
        #expect(outcome.reply == ServerNotificationDeliveredV1(notificationUUID: "uuid-1", isRepeated: false))
        let told = try sent.bodies(TransactionVerifiedV1.self)
        #expect(told == [TransactionVerifiedV1(transaction: signed)])
        #expect(sent.map(\.to) == [PartitionAddress(.receipts, ReceiptsGroup.partition(of: signed))])
        #expect(try states() == ["delivered -"])
    }

    @Test func `delivered again has no further effect, and is counted`() throws {
        _ = try deliver(Self.notification(signed))
        let (outcome, sent) = try group.deliver("uuid-1", "n")
        #expect(outcome.reply == ServerNotificationDeliveredV1(notificationUUID: "uuid-1", isRepeated: true))
        #expect(sent.isEmpty)
        let counts = try group.rows("SELECT deliveries FROM server_notification", partition: 0)
        #expect(counts == [[2]])
    }

    @Test func `of a refund states it, whether or not the purchase is known`() throws {
        let refunded = Sample.transaction("1", signed: 60, refunded: true)
        let first = try deliver(Self.notification(refunded, type: "REFUND")).sent
        let asked = try group.deliver(first)
        #expect(try asked.bodies(ClaimProposedV1.self).isEmpty, "nobody is known who might hold it")
        #expect(try group.record(refunded).claim.facts?.isRevoked == true)
    }

    @Test(arguments: [ProofFailure.malformed, .tooLarge, .unsigned, .badSignature])
    func `that is not Apple's is refused for good, and leaves no trace`(failure: ProofFailure) throws {
        group.notificationReader.contents["n"] = .failure(.notGenuine(failure))
        let (outcome, sent) = try group.deliver("uuid-1", "n")
        #expect(outcome.refusal?.code == .invalid)
        #expect(sent.isEmpty)
        #expect(try states().isEmpty)
    }

    @Test(arguments: [ProofFailure.untrusted, .expiredCertificate])
    func `that nobody can judge now is asked for again, and leaves no trace`(failure: ProofFailure) throws {
        group.notificationReader.contents["n"] = .failure(.notTrusted(failure))
        #expect(try group.deliver("uuid-1", "n").outcome.refusal?.code == .busy)
        #expect(try states().isEmpty)
    }

    @Test(arguments: [Sample.otherApp.rawValue, nil, ""])
    func `about an app that is not configured is not kept, and asked for again`(bundleId: String?) throws {
        #expect(try deliver(Self.notification(signed, bundleId: bundleId)).outcome.refusal?.code == .busy)
        #expect(try states().isEmpty)
    }

    @Test func `that stays parked does not hold up the others`() throws {
        for number in 0...OnReceiptRetry.maximumPerRequest {
            group.notificationReader.contents["n-\(number)"] = .failure(.unreadable("badSignature"))
            _ = try group.deliver("uuid-\(number)", "n-\(number)")
        }
        let last = "n-\(OnReceiptRetry.maximumPerRequest)"
        for content in group.notificationReader.contents.keys where content != last {
            group.notificationReader.contents[content] = .failure(.notTrusted(.untrusted))
        }
        group.notificationReader.contents[last] = .success(Self.notification(signed))
        let retried = try group.retry(partition: 0)
        #expect(retried.items.count == OnReceiptRetry.maximumPerRequest + 1)
        #expect(retried.items.count { $0.before != $0.after } == 1)
        #expect(retried.sent.map(\.type) == [TransactionVerifiedV1.type])
    }

    @Test func `that Apple signed and nobody here can read is kept, and judged again on retry`() throws {
        group.notificationReader.contents["n"] = .failure(.unreadable("badSignature"))
        let (outcome, sent) = try group.deliver("uuid-1", "n")
        #expect(outcome.reply?.notificationUUID == "uuid-1")
        #expect(sent.isEmpty)
        #expect(try states() == ["parked badSignature"])
        group.notificationReader.contents["n"] = .success(Self.notification(signed))
        let retried = try group.retry(partition: 0)
        let item = try #require(retried.items.first)
        #expect(retried.items.count == 1 && item.kind == .serverNotification && item.id == "uuid-1")
        #expect(item.before == RetryPage.ItemStatus("parked", reason: "badSignature"))
        #expect(item.after == RetryPage.ItemStatus("delivered"))
        #expect(retried.sent.map(\.type) == [TransactionVerifiedV1.type])
        #expect(try states() == ["delivered -"])
        #expect(try group.retry(partition: 0).items.isEmpty)
    }

    @Test func `that is parked is judged again when Apple delivers it again`() throws {
        group.policies = [Sample.app: AppPolicy(environments: [.sandbox], sandbox: .separate)]
        #expect(try deliver(Self.notification(signed)).sent.isEmpty)
        #expect(try states() == ["parked wrongEnvironment"])
        group.policies = [Sample.app: Sample.policy]
        #expect(try group.deliver("uuid-1", "n").sent.count == 1)
    }

    @Test func `of a type that nobody knows is kept raw and counted, and what it carries counts`() throws {
        #expect(try deliver(Self.notification(signed, type: "OF_TOMORROW")).sent.count == 1)
        #expect(try group.gauges(0)["counterfoil_server_notifications_unknown"] == 1)
        let raw = try group.rows("SELECT type, signed_payload FROM server_notification", partition: 0)
        #expect(raw == [["OF_TOMORROW", .blob(Array("n".utf8))]])
    }

    @Test func `about no transaction is only kept`() throws {
        #expect(try deliver(Self.notification(nil, type: "TEST")).sent.isEmpty)
        #expect(try states() == ["noted -"])
    }

    @Test(arguments: [
        ("wrongApp", Sample.otherApp.rawValue, "Production", SandboxPolicy.separate),
        ("wrongEnvironment", Sample.app.rawValue, "Sandbox", .separate),
        ("wrongEnvironment", Sample.app.rawValue, "Xcode", .separate),
    ])
    func `whose transaction is of another app or environment is parked`(
        reason: String,
        bundleId: String,
        environment: String,
        sandbox: SandboxPolicy
    ) throws {
        let other = Sample.transaction("1", environment: environment).with(\.bundleId, bundleId)
        #expect(try deliver(Self.notification(other)).sent.isEmpty)
        #expect(try states() == [.text("parked \(reason)")])
    }

    @Test(arguments: [
        (7 as Int64?, 7 as Int64?, "delivered -"), (nil, 7, "delivered -"), (7, nil, "delivered -"),
        (0, 7, "delivered -"), (8, 7, "parked wrongApp"),
    ])
    func `that bears another app's number than the configuration is parked`(
        told: Int64?,
        own: Int64?,
        state: String
    ) throws {
        group.policies[Sample.app] = Sample.policy(appAppleId: own, apis: [])
        let sent = try deliver(Self.notification(signed, appAppleId: told)).sent
        #expect(sent.count == (state == "delivered -" ? 1 : 0))
        #expect(try states() == [.text(state)])
    }

    @Test(arguments: [SandboxPolicy.refuse, .grantTo([Sample.alice]), .separate])
    func `of the sandbox grants only where the sandbox grants to everybody`(sandbox: SandboxPolicy) throws {
        let tested = Sample.transaction("1", environment: "Sandbox")
        group.policies = [Sample.app: AppPolicy(environments: [.production, .sandbox], sandbox: sandbox)]
        let notification = Self.notification(tested, environment: .sandbox)
        #expect(try deliver(notification).sent.count == (sandbox == .separate ? 1 : 0))
    }

    @Test func `is told again to a partition whose store was restored, to no other, and once`() throws {
        _ = try deliver(Self.notification(signed))
        for partition in 0..<ReceiptsGroup.partitions {
            let told = try group.redrive(from: 0, to: .receipts, partition).sent
                .bodies(TransactionVerifiedV1.self)
            #expect(told.count == (partition == ReceiptsGroup.partition(of: signed) ? 1 : 0))
        }
    }

    @Test func `is shown by the trace of its transaction`() throws {
        _ = try deliver(Self.notification(signed))
        let trace = try group.trace(signed.transactionId, partition: 0)
        #expect(trace.entries.map(\.type) == [ServerNotificationDeliverV1.type.rawValue])
    }
}
