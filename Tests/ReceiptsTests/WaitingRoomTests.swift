import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `the submissions that wait for a purchase` {
    private static let byOther = Sample.byAlice.forAnother
    private static let full = [Sample.byBob.forAnother, Sample.byCarol.forAnother]

    private static func admission(
        of submission: Submission,
        beside waiting: [Submission] = full
    ) -> WaitingRoom.Admission {
        WaitingRoom.admission(of: submission, beside: waiting, maximum: full.count)
    }

    @Test func `are as many as there is room for, and one that waits is told more of`() {
        #expect(Self.admission(of: Self.byOther, beside: [Sample.byBob]) == .wait)
        #expect(Self.admission(of: Sample.byBob) == .wait)
        #expect(Self.admission(of: Self.byOther) == .refuse)
    }

    @Test func `make room for one by which somebody is a candidate, the last of the others first`() {
        let (first, last) = (Self.full[0], Self.full[1])
        #expect(Self.admission(of: Sample.byAlice) == .waitInPlaceOf(last))
        #expect(Self.admission(of: Self.byOther.naming(Sample.order)) == .waitInPlaceOf(last))
        #expect(Self.admission(of: Sample.byAlice, beside: [first, Sample.byCarol]) == .waitInPlaceOf(first))
        #expect(Self.admission(of: Sample.byAlice, beside: [Sample.byBob, Sample.byCarol]) == .refuse)
    }

    @Test func `of an orphan stay as they are when ever more logins hand it in, and its buyer is heard`()
        throws
    {
        let (group, signed) = (ReceiptsGroup(), Sample.transaction())
        let partition = ReceiptsGroup.partition(of: signed)
        _ = try group.verify(signed, Self.byOther)
        _ = try group.verify(signed, Self.full[0])
        try group.execute(
            """
            INSERT INTO claim_waiter WITH RECURSIVE numbers(n) AS
              (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(WaitingRoom.maximum))
            SELECT purchase_id, bundle_id, environment, receipt_id, n, submitter_id, order_hint, intent, for_another,
              since + n FROM claim_waiter JOIN numbers
            """,
            in: partition
        )
        func waiting(_ condition: String = "TRUE") throws -> Int {
            try group.rows("SELECT 1 FROM claim_waiter WHERE \(condition)", partition: partition).count
        }
        #expect(try waiting() == WaitingRoom.maximum)
        _ = try group.verify(signed, Self.full[1])
        #expect(try waiting() == WaitingRoom.maximum && waiting("submitter_id = 'bob'") == 0)
        let proposed = try group.verify(signed, Sample.byBob.naming(Sample.order)).sent
        #expect(try proposed.bodies(ClaimProposedV1.self).map(\.candidate) == [.order(Sample.order)])
        _ = try group.verify(signed, Sample.byCarol)
        #expect(try waiting() == WaitingRoom.maximum && waiting("submitter_id = 'carol'") == 1)
        let last = "transaction_id = '\(WaitingRoom.maximum)'"
        #expect(try waiting(last) == 0, "the oldest stay")
        let judged = try group.hold(signed, by: Sample.otherHolder).sent
        #expect(try judged.verdicts.count == WaitingRoom.maximum)
    }
}
