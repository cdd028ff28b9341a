package import Contracts

/// The refunded part of a price, in Apple's milliunits of a percent: 0 to 100,000.
package struct RefundedShare: Hashable, Sendable, Comparable {
    /// Apple's `revocationType` of a refund whose share counts.
    package static let prorated = "REFUND_PRORATED"

    package static let none = RefundedShare(milliunits: 0)
    package static let full = RefundedShare(milliunits: 100_000)

    package let milliunits: Int64

    package init(milliunits: Int64) { self.milliunits = min(max(milliunits, 0), 100_000) }

    /// Apple's `revocationPercentage` of a `REFUND_PRORATED`, all of any other revocation.
    ///
    /// A period of a subscription ends with any refund, because access has no parts.
    package init(_ facts: TransactionFacts) {
        switch (facts.revocationDate, facts.revocationType, facts.revocationPercentage) {
        case (nil, _, _): self = .none
        case (_?, _, _) where facts.isPeriod: self = .full
        case (_?, let type?, let share?) where type == Self.prorated:
            self.init(milliunits: Int64(share))
        case (_?, _, _): self = .full
        }
    }

    /// The part of the amounts that is nobody's: all of what is shared, though the first statement did not say so.
    package init(ofAmounts facts: TransactionFacts) { self = facts.isShared ? .full : RefundedShare(facts) }

    package var isFull: Bool { self == .full }

    package static func < (left: RefundedShare, right: RefundedShare) -> Bool {
        left.milliunits < right.milliunits
    }
}
