import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Periods of the chains 7 and 9 as an app receipt lists them: it says no owner, so that their line item is no name
/// yet.
@Suite struct `a purchase with names that waits for Apple's word` {
    private typealias Samples = `a purchase with names`

    private let group = ReceiptsGroup()
    private let listed = Samples.period("8", of: "7", isOwned: false)

    /// Lets an app receipt list it while its partition asks Apple.
    private func list() throws -> [OutgoingEvent] {
        try group.verify(listed, Sample.byAlice, inquiry: .asked).sent
    }

    /// Lets Apple's last word come to the chain that the receipt names.
    private func completeEvidence() throws -> [OutgoingEvent] { try group.completeEvidence(of: listed) }

    @Test func `waits for that once its names are registered`() throws {
        #expect(try list().proposers.isEmpty)
        #expect(try group.record(listed).claim.state == .waiting)
        #expect(try completeEvidence().proposers == [Sample.alice])
    }

    @Test func `hears it while its names are registered`() throws {
        group.answersNames = false
        let asked = try list()
        #expect(try completeEvidence().isEmpty)
        #expect(try group.answerAll(asked).proposers == [Sample.alice])
    }

    @Test func `waits for a further name as well, before anybody is proposed`() throws {
        _ = try list()
        let asked = try group.verifyUnanswered(Samples.period("8", of: "7", signed: 1))
        #expect(try asked.bodies(NameClaimedV1.self).map(\.name) == [.lineItem("70")])
        #expect(try completeEvidence().isEmpty)
        #expect(try group.answerAll(asked).proposers == [Sample.alice])
    }

    @Test func `hears it at its home, where it has gone to another chain`() throws {
        _ = try group.verify(Samples.period("8", of: "9", isOwned: false))
        let forwarded = try list()
        #expect(try forwarded.bodies(TransactionVerifiedV1.self).map(\.inquiry) == [.asked])
        #expect(try group.deliver(forwarded).proposers.isEmpty)
        let told = try completeEvidence()
        let words = try told.bodies(EvidenceCompletedV1.self)
        #expect(words.map(\.originalTransactionId.rawValue) == ["9"])
        #expect(words.map { $0.aliases?.map(\.rawValue) } == [["7"]])
        #expect(try group.deliver(told).proposers == [Sample.alice])
    }

    @Test func `takes its question along to another chain`() throws {
        _ = try list()
        _ = try group.verify(Samples.period("21", of: "9"))
        let sent = try group.verify(Samples.period("8", of: "7", signed: 1)).sent
        let messages = try sent.bodies(TransactionVerifiedV1.self)
        #expect(messages.map(\.submission?.submitter) == [Sample.alice, nil])
        #expect(messages.map(\.inquiry) == [.asked, nil])
        #expect(messages.allSatisfy { $0.transaction.originalTransactionId == "9" })
    }

    @Test func `is open for other chains, and one that is weighed anew is held`() {
        #expect(Claim(state: .waiting).namePhase == .open)
        let challenge = Challenge.asking(.token(Sample.token), attempt: 2)
        #expect(Claim(state: .held(Sample.holder), challenge: challenge).namePhase == .held)
    }
}
