import Contracts
import TestKit
import Testing

@testable import Receipts

/// The chain 7 has two names, which 9 states: one before it is held, and the other one after that.
@Suite struct `an audit of names` {
    private typealias Samples = `a purchase with names`
    private let group = ReceiptsGroup()

    init() throws {
        let late = Samples.period("31", of: "9", isOwned: false)
        try group.verifyAndHold(late, Sample.byBob, by: Sample.otherHolder)
        try group.verifyAndHold(Samples.period("8", of: "7"))
        _ = try group.verify(Samples.period("31", of: "9", signed: 1))
        _ = try group.verify(Samples.period("8", of: "30"))
    }

    /// What all partitions say.
    private func audit(_ question: NamesAuditV1 = NamesAuditV1()) throws -> [NamesAuditPage] {
        try (0..<ReceiptsGroup.partitions).map { partition in
            let answer = try group.handle(question, in: partition, OnNamesAudit().callAsFunction)
            return try #require(answer.outcome.reply)
        }
    }

    private func places(_ pages: [NamesAuditPage], of name: String) -> [String: NamesAuditPage.Place] {
        let claims = pages.flatMap(\.claims).filter { $0.name == name }
        return Dictionary(uniqueKeysWithValues: claims.map { ($0.originalTransactionId.rawValue, $0.place) })
    }

    @Test func `says which claims state a name, and whether they have it`() throws {
        let pages = try audit()
        #expect(places(pages, of: "lineItem/70") == ["7": .home, "9": .elsewhere, "30": .alias])
        #expect(places(pages, of: "transaction/8") == ["7": .home, "30": .alias])
        #expect(places(pages, of: "transaction/31") == ["9": .home])
        let held = pages.flatMap(\.claims).filter(\.isHeld).map(\.originalTransactionId.rawValue)
        #expect(Set(held) == ["7", "9"])
        #expect(pages.allSatisfy { $0.next == nil })
    }

    @Test func `says to which chain each name belongs that it is asked for`() throws {
        let pages = try audit(NamesAuditV1(only: ["lineItem/70", "transaction/31", "transaction/none"]))
        let homes = pages.flatMap(\.rows).map { "\($0.name) \($0.homeId)" }
        #expect(Set(homes) == ["lineItem/70 7", "transaction/31 9"])
        #expect(Set(pages.flatMap(\.claims).map(\.name)) == ["lineItem/70", "transaction/31"])
    }

    @Test func `says how long nobody has answered`() throws {
        _ = try group.verifyUnanswered(Samples.period("8", of: "20", lineItem: "72"))
        group.now = Sample.start.advanced(by: 90_000)
        let asked = try audit().flatMap(\.claims).filter { $0.place == .asked }
        #expect(asked.map(\.originalTransactionId.rawValue) == ["20"])
        #expect(asked.map(\.ageMs) == [90_000])
        let waiting = try (0..<ReceiptsGroup.partitions).map { partition in
            try group.gauges(partition)["counterfoil_names_waiting_oldest_seconds"] ?? 0
        }
        #expect(waiting.max() == 90)
    }

    @Test func `refuses a request for too many names`() throws {
        let names = (0...NamesAuditV1.maximumNames).map { "lineItem/\($0)" }
        let handler = OnNamesAudit()
        let answer = try group.handle(NamesAuditV1(only: names), in: 0, handler.callAsFunction)
        #expect(answer.outcome.refusal?.code == .invalid)
    }

    @Test func `reads names by their keys`() throws {
        let plans =
            try group.plan(of: NamesAuditStore.rowsQuery("[]"))
            + group.plan(of: NamesAuditStore.claimsQuery("[]"))
        let scans = ["purchase_name", "named", "name_registration", "claim"].map { "SCAN \($0)" }
        #expect(!plans.contains { plan in scans.contains { plan.contains($0) } }, "\(plans)")
    }
}
