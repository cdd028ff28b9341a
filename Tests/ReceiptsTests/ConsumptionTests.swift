import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `Apple's question what was used` {
    private static let hour: Int64 = 3_600_000

    let group: ReceiptsGroup
    let apple: AskedApple
    let bought = Sample.transaction("1")
    let partition: Int

    init() throws {
        (group, apple) = try ReceiptsGroup.asking(environments: [.production])
        partition = ReceiptsGroup.partition(of: bought)
    }

    /// Lets Apple's notification come in.
    private func ask(at time: Timestamp? = nil) throws {
        var notification = `a server notification`.notification(bought, type: "CONSUMPTION_REQUEST")
        notification.signedDate = time ?? group.now
        group.notificationReader.contents["n"] = .success(notification)
        _ = try group.deliver(group.deliver("uuid-1", "n").sent)
    }

    /// What the partition does now: the buyers whose ledger is asked.
    private func work() async throws -> [ConsumptionRequestedV1] {
        try await group.askApple(partition).sent.bodies(ConsumptionRequestedV1.self)
    }

    private func report(_ isConsented: Bool = true, consumed: Int? = 58_333) throws {
        let request = ConsumptionRequestedV1(
            bundleId: Sample.app,
            buyerId: Sample.alice,
            environment: .production,
            purchaseId: PurchaseID(unchecked: "1"),
            transactionId: TransactionID(unchecked: "1"),
            originalTransactionId: TransactionID(unchecked: "1")
        )
        let report = ConsumptionReportedV1(
            request,
            isConsented: isConsented,
            isDelivered: true,
            consumed: consumed
        )
        let handler = OnConsumptionReported().callAsFunction
        #expect(try group.handle(report, in: partition, handler).outcome == .applied)
    }

    /// Has Apple ask what was used of a purchase that Alice holds, whose ledger is asked then.
    private func askHolder() async throws {
        try group.verifyAndHold(bought)
        try ask()
        _ = try await work()
    }

    /// The same, and the ledger reports consent.
    private func agree() async throws {
        try await askHolder()
        try report()
    }

    /// The ledger reports consent, Apple has been called so often then, and nothing is left to do.
    private func reportAndEnd(
        calls count: Int = 1,
        consumed: Int? = 58_333,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        try report(consumed: consumed)
        _ = try await work()
        #expect(calls.count == count, sourceLocation: location)
        #expect(try stored() == 0, sourceLocation: location)
    }

    private var calls: [String] { apple.calls.filter { $0.contains("/consumption/") } }

    private func gauge(_ name: String) throws -> Double? {
        try group.gauges(partition)["counterfoil_consumption_requests_\(name)"]
    }

    private func stored() throws -> Int {
        try group.rows("SELECT 1 FROM consumption_request", partition: partition).count
    }

    @Test func `is answered once, with the ledger's word`() async throws {
        try group.verifyAndHold(bought)
        try ask()
        let asked = try await work()
        #expect(asked.map(\.buyerId) == [Sample.alice] && asked.map(\.purchaseId.rawValue) == ["1"])
        #expect(try await work().isEmpty && calls.isEmpty)
        try report()
        _ = try await work()
        #expect(calls == ["api:/inApps/v2/transactions/consumption/1"])
        #expect(
            apple.bodies.last
                == #"{"consumptionPercentage":58333,"customerConsented":true,"deliveryStatus":"DELIVERED","#
                + #""sampleContentProvided":false}"#
        )
        #expect(try stored() == 0)
        try report()
        group.pass(Self.hour, with: apple)
        _ = try await work()
        #expect(calls.count == 1)
        // The notification delivered again is known.
        _ = try group.deliver("uuid-1", "n")
        #expect(try stored() == 0)
    }

    @Test func `without consent leads to no call and no alarm, and consent that comes later counts`()
        async throws
    {
        try group.verifyAndHold(bought)
        try ask()
        #expect(try await work().count == 1)
        try report(false)
        #expect(try await work().isEmpty)
        group.pass(7 * Self.hour, with: apple)
        #expect(try gauge("late") == 0)
        #expect(try await work().count == 1, "it is asked again")
        #expect(calls.isEmpty && group.alarms.isEmpty)
        try await reportAndEnd()
    }

    @Test func `is forgotten after 12 hours without consent`() async throws {
        try await askHolder()
        try report(false)
        group.pass(12 * Self.hour, with: apple)
        #expect(try await work().isEmpty && calls.isEmpty)
        #expect(try stored() == 0)
        #expect(try gauge("expired") == 0)
    }

    /// Has Apple's answer lost once, after the ledger has reported consent.
    private func tryInVain() async throws {
        try await agree()
        apple.mood = .down
        _ = try await work()
        #expect(!calls.isEmpty)
        apple.mood = .well
        group.pass(10_000, with: apple)
    }

    @Test func `is repeated while the outcome is unknown, each time with the ledger's new word`()
        async throws
    {
        try await tryInVain()
        let before = calls.count
        #expect(try await work().count == 1 && calls.count == before, "the ledger is asked first")
        try await reportAndEnd(calls: before + 1, consumed: 90_000)
        #expect(apple.bodies.last?.contains("90000") == true)
    }

    @Test func `is not answered at the next try when consent was withdrawn meanwhile`() async throws {
        try await tryInVain()
        let before = calls.count
        _ = try await work()
        try report(false)
        for _ in 1...12 {
            _ = try await work()
            group.pass(Self.hour, with: apple)
        }
        _ = try await work()
        #expect(calls.count == before)
        #expect(try stored() == 0 && group.alarms.isEmpty)
    }

    @Test func `that is newer stays when the answer to the older one has come to Apple`() async throws {
        try await agree()
        let item = try #require(try group.due("consumption/", partition).first)
        let result = try await group.perform(item)
        group.pass(1_000, with: apple)
        _ = try group.verify(bought, consumptionAskedAt: group.now)
        _ = try group.finish(item, result, partition)
        #expect(try stored() == 1)
        #expect(try await work().map(\.buyerId) == [Sample.alice])
        try await reportAndEnd(calls: 2)
    }

    @Test func `is an alarm after 6 hours with consent, and expires after 12`() async throws {
        try await agree()
        group.pass(6 * Self.hour, with: apple)
        #expect(try gauge("late") == 1)
        _ = try await work()
        group.pass(6 * Self.hour, with: apple)
        _ = try await work()
        #expect(try gauge("expired") == 1 && gauge("late") == 0)
        #expect(calls.isEmpty)
        try report()
        #expect(try await work().isEmpty)
    }

    @Test(arguments: [4_000_035, 4_000_209, 4_040_010])
    func `is over when Apple refuses the answer for good`(code: Int) async throws {
        try await agree()
        apple.refusal = code
        _ = try await work()
        #expect(calls.count == 1)
        #expect(try stored() == 0)
    }

    @Test func `waits for a holder of the purchase until the deadline`() async throws {
        try ask()
        #expect(try await work().isEmpty)
        group.pass(Self.hour, with: apple)
        #expect(try await work().isEmpty)
        try group.verifyAndHold(bought)
        group.pass(Self.hour, with: apple)
        #expect(try await work().map(\.buyerId) == [Sample.alice])
    }

    @Test func `that is older than 12 hours, or cannot be answered without a key, is not kept`() throws {
        try ask(at: group.now.advanced(by: -12 * Self.hour))
        #expect(try stored() == 0)
        group.policies[Sample.app] = Sample.policy(environments: [.production], apis: [])
        _ = try group.verify(bought, consumptionAskedAt: group.now)
        #expect(try stored() == 0)
    }

    @Test func `asked anew takes the place of the older question, and an older one of none`() async throws {
        try await askHolder()
        group.pass(Self.hour, with: apple)
        _ = try group.verify(bought, consumptionAskedAt: group.now)
        #expect(try await work().count == 1)
        _ = try group.verify(bought, consumptionAskedAt: Sample.start)
        let askedAt = try group.rows("SELECT asked_at FROM consumption_request", partition: partition)
        #expect(askedAt == [[.integer(group.now.milliseconds)]])
    }

    @Test func `that comes before the claim is held is answered seconds after`() async throws {
        _ = try group.verify(bought, Sample.byAlice)
        try ask()
        #expect(try await work().isEmpty)
        group.pass(1_000, with: apple)
        _ = try group.hold(bought)
        group.pass(5_000, with: apple)
        #expect(try await work().map(\.buyerId) == [Sample.alice])
        try await reportAndEnd()
    }

    @Test func `that a wrong clock put off is gone on with as soon as the clock is right`() async throws {
        try group.verifyAndHold(bought)
        try ask()
        group.pass(11 * Self.hour, with: apple)
        #expect(try await work().count == 1)
        group.pass(-11 * Self.hour, with: apple)
        #expect(try await work().count == 1)
        #expect(try await work().isEmpty, "once")
    }

    @Test func `that a wrong clock has let expire is gone on with when the clock is right`() async throws {
        try await agree()
        group.pass(13 * Self.hour, with: apple)
        _ = try await work()
        #expect(try gauge("expired") == 1 && calls.isEmpty)
        group.pass(60_000 - 13 * Self.hour, with: apple)
        #expect(try await work().count == 1, "the ledger is asked again")
        try await reportAndEnd()
    }

    @Test func `is found by index when it is due, or when it has expired`() throws {
        let time = Sample.start
        let ranges: [SQL] = [
            "due_at <= \(time) ORDER BY due_at", "due_at > \(time) ORDER BY due_at",
            "due_at IS NULL AND asked_at > \(time)",
        ]
        for range in ranges {
            let rows: SQL = "bundle_id = \(Sample.app) AND \(range)"
            let plan = try group.plan(of: "SELECT content FROM consumption_request WHERE \(rows)")
            #expect(plan.count == 1 && plan[0].contains("consumption_request_due (bundle_id=? AND due_at"))
        }
    }
}
