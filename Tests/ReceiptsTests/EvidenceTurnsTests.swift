import AppStore
import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: each claim that waits for Apple's word is looked at by itself, and when that may tell something new.
@Suite struct `claims that wait for Apple's word` {
    private let group: ReceiptsGroup
    private let apple: AskedApple
    private let bare = Sample.transaction("5", signed: 1)
    private let place: Int

    init() throws {
        (group, apple) = try ReceiptsGroup.asking()
        place = ReceiptsGroup.partition(of: bare)
    }

    /// Brings what a receipt lists to its claim.
    private func list(_ signed: SignedTransaction, by submission: Submission = Sample.byAlice) throws {
        #expect(try group.verify(signed, submission, inquiry: .asked).sent.isEmpty)
    }

    private func turns(limit: Int? = nil, excluding inHand: Set<String> = []) throws -> [WorkItem] {
        try group.due(EvidenceTurns.prefix, place, limit: limit, excluding: inHand)
            .filter { $0.timer != nil }
    }

    private func take(_ turn: WorkItem) throws { _ = try group.finish(turn, [], place) }

    /// Of the same partition.
    private func others(_ count: Int) -> [SignedTransaction] {
        let all = (10...999).lazy.map { Sample.transaction("\($0)", signed: 1) }
        return Array(all.filter { ReceiptsGroup.partition(of: $0) == place }.prefix(count))
    }

    @Test func `go on, though the row of one of them cannot be read`() throws {
        let other = try #require(others(1).first)
        for listed in [bare, other] { try list(listed) }
        let row: SQL = "purchase_id = \(other.transactionId)"
        try group.execute("UPDATE claim SET claimants = 'none' WHERE \(row)", in: place)
        group.pass(AppleEvidence.patience, with: apple)
        let due = try turns()
        let broken = try #require(due.first { $0.key.hasSuffix("/\(other.transactionId)") })
        #expect(due.count == 2)
        #expect(throws: StoreError.self) { try take(broken) }
        for turn in due where turn != broken { try take(turn) }
        #expect(try turns() == [broken], "it alone stays due")
    }

    @Test func `are looked at when Apple is asked again, and not before`() async throws {
        apple.knowsNobody = true
        try list(bare, by: Sample.byAlice.naming(Sample.order))
        group.pass(AppleEvidence.patience, with: apple)
        try turns().forEach(take)
        try await group.askApple(place)
        group.pass(AppleEvidence.deadline - AppleEvidence.patience, with: apple)
        #expect(try turns().count == 1)
        try turns().forEach(take)
        let asked = AppleEvidence.patience + AppleQuery.unknownPauses[0]
        group.pass(asked - AppleEvidence.deadline - 1, with: apple)
        #expect(try turns().isEmpty, "nothing can be new")
        group.pass(1, with: apple)
        #expect(try turns().count == 1)
    }

    @Test func `are not looked at before the end of a pause for which their question waits`() throws {
        let sandbox = bare.with(\.environment, Environment.sandbox.rawValue)
        try list(sandbox, by: Sample.byAlice.naming(Sample.order))
        group.pass(AppleEvidence.patience, with: apple)
        try turns().forEach(take)
        let pause: Int64 = 20_000
        try #require(group.apple).access.pause(
            AppleQueryQueue(bundleID: Sample.app, api: .serverAPI),
            .transactionInfo,
            of: place,
            until: group.harness.now.advanced(by: pause)
        )
        let wait = AppleEvidence.deadline - AppleEvidence.patience
        group.pass(wait, with: apple)
        #expect(try turns().count == 1)
        try turns().forEach(take)
        group.pass(pause - wait - 1, with: apple)
        #expect(try turns().isEmpty, "nothing can be new")
        group.pass(1, with: apple)
        #expect(try turns().count == 1)
    }

    @Test func `are given out one by one, without those in hand`() throws {
        for listed in others(5) { try list(listed) }
        group.pass(AppleEvidence.patience, with: apple)
        let first = try turns(limit: 2)
        #expect(first.count == 2)
        let rest = try turns(excluding: Set(first.map(\.key)))
        #expect(rest.count == 3)
        for turn in first + rest { try take(turn) }
        #expect(try turns().isEmpty)
    }
}
