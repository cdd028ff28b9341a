import Contracts
import Testing

@testable import Receipts

@Suite struct `what a submission says of whose it is` {
    @Test(arguments: ProofKind.allCases, [BuyerID?.none, Sample.bob])
    func `counts as far as its proof bears it out`(kind: ProofKind, purchaser: BuyerID?) {
        let order = Sample.order.rawValue
        let hints = SubmissionHints(of: kind, purchasedBy: purchaser, order: order)
        #expect(hints.order == (kind == .transactionId ? nil : order))
        #expect(hints.isForAnother == (kind == .transactionId || purchaser != nil))
        #expect(SubmissionHints(of: kind, purchasedBy: purchaser, order: nil).order == nil)
    }
}
