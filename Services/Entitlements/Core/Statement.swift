package import Contracts

/// What one signature of Apple says about a purchase, under whichever of its transaction ids, as far as it may change.
package struct Statement: Hashable, Sendable {
    package var signedDate: Timestamp
    package var refunded: RefundedShare

    package init(signedDate: Timestamp, refunded: RefundedShare = .none) {
        self.signedDate = signedDate
        self.refunded = refunded
    }

    /// The statement that `facts` make.
    ///
    /// `revocationDate` tells a refund; its share is Apple's `revocationPercentage` when the type is
    /// `REFUND_PRORATED`, and the whole otherwise.
    package init(_ facts: TransactionFacts) {
        let refunded: RefundedShare =
            switch (facts.revocationDate, facts.revocationType, facts.revocationPercentage) {
            case (nil, _, _): .none
            case (_?, "REFUND_PRORATED"?, let share?): RefundedShare(milliunits: Int64(share))
            case (_?, _, _): .full
            }
        self.init(signedDate: facts.signedDate, refunded: refunded)
    }

    /// Whether this statement takes the place of `known`: the later signature holds; of two signed in the same
    /// millisecond, the one with more paid back.
    package func supersedes(_ known: Statement) -> Bool {
        (signedDate, refunded) > (known.signedDate, known.refunded)
    }
}
