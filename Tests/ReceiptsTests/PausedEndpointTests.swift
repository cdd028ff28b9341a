import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: Apple limits by endpoint, so a limit that is reached keeps back what asks that endpoint, and nothing else.
@Suite struct `an endpoint whose limit is reached` {
    private let group: ReceiptsGroup
    private let apple: AskedApple
    private let place = ReceiptsGroup.partition(of: Sample.transaction("5"))

    init() throws {
        (group, apple) = try ReceiptsGroup.asking()
        apple.limited = ["api:/inApps/v2/history/": Sample.start.advanced(by: 1_800_000)]
    }

    private func askAboutClaim(_ urgency: AppleQuery.Urgency) throws {
        let facts = try #require(TransactionFacts(Sample.transaction("5")))
        try group.ask(.claimEvidence(EvidenceCompletedV1(facts)), urgency, in: place)
    }

    private func due(_ kind: AppleQuery.Kind) throws -> Int {
        try group.due("serverAPI/\(kind.rawValue)/", place).count
    }

    @Test func `keeps no question to another endpoint back, however many wait for it`() async throws {
        for number in 1...(2 * AppleWorker.concurrencyOfQueue) {
            try group.askHistory(of: "\(number)00", in: place)
        }
        try await group.askApple(place)
        #expect(apple.calls.count { $0.contains("/history/") } == 1)
        try askAboutClaim(.awaited)
        group.pass(20_000, with: apple)
        #expect(try due(.history) == 0)
        #expect(try due(.claim) == 1)
        apple.knows(Sample.transaction("5"))
        let sent = try await group.askApple(place).sent
        #expect(try sent.bodies(EvidenceCompletedV1.self).count == 1)
    }

    @Test func `is asked again when its pause is over, and nothing is lost`() async throws {
        for number in 1...3 { try group.askHistory(of: "\(number)00", in: place) }
        let next = try await group.askApple(place).next
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: place).count == 3)
        #expect(try due(.history) == 0)
        #expect(next != nil)
        apple.limited = [:]
        group.pass(1_800_000, with: apple)
        try await group.askApple(place)
        #expect(try group.rows("SELECT 1 FROM apple_query", partition: place).isEmpty)
    }

    @Test func `does not keep the question back on which a named order depends`() async throws {
        apple.limited = ["api:/inApps/v1/transactions/": Sample.start.advanced(by: 1_800_000)]
        try askAboutClaim(.awaited)
        try await group.askApple(place)
        _ = try group.run(place) { context in
            try AppleQueryStore(connection: context.connection).remove(
                AppleQuery.claimEvidence(of: PurchaseID(unchecked: "5"), .production, in: Sample.app)
            )
        }
        try askAboutClaim(.awaited)
        #expect(try due(.claim) == 0)
        try askAboutClaim(.named)
        #expect(try due(.claim) == 1)
    }
}
