package import Contracts

/// One thing that a product puts into the ledger: an amount of something, or something to have.
package struct Goods: Codable, Hashable, Sendable {
    package var entitlement: String
    /// How many units one purchase brings; nil for something that a buyer has or has not.
    package var amount: Int64?

    package init(_ entitlement: String, amount: Int64? = nil) {
        self.entitlement = entitlement
        self.amount = amount
    }

    /// The goods of `quantity` purchases at once; nil when the amount is beyond all bounds.
    package func times(_ quantity: Int) -> Goods? {
        guard let amount else { return self }
        let (product, overflow) = amount.multipliedReportingOverflow(by: Int64(quantity))
        return overflow ? nil : Goods(entitlement, amount: product)
    }

    /// What is left of the goods when `share` of their price was refunded.
    ///
    /// What goes back is rounded up to whole units; something to have goes back only with the full price.
    package func kept(after share: RefundedShare) -> Int64 {
        guard let amount else { return share.isFull ? 0 : 1 }
        let (high, low) = amount.multipliedFullWidth(by: share.milliunits)
        let (whole, rest) = RefundedShare.full.milliunits.dividingFullWidth((high, low))
        return amount - whole - (rest > 0 ? 1 : 0)
    }
}

/// How much of a price was paid back, in milliunits of a percent as Apple counts: 0 to 100,000.
package struct RefundedShare: Hashable, Sendable, Comparable {
    package let milliunits: Int64

    package init(milliunits: Int64) { self.milliunits = min(max(milliunits, 0), 100_000) }

    /// Nothing was paid back.
    package static let none = RefundedShare(milliunits: 0)
    /// All of it was paid back.
    package static let full = RefundedShare(milliunits: 100_000)

    /// Whether all of it was paid back.
    package var isFull: Bool { self == .full }

    /// The share that `facts` tell: Apple's `revocationPercentage` of a `REFUND_PRORATED`, all of any other revocation.
    package init(_ facts: TransactionFacts) {
        switch (facts.revocationDate, facts.revocationType, facts.revocationPercentage) {
        case (nil, _, _): self = .none
        case (_?, "REFUND_PRORATED"?, let share?): self.init(milliunits: Int64(share))
        case (_?, _, _): self = .full
        }
    }

    package static func < (left: RefundedShare, right: RefundedShare) -> Bool {
        left.milliunits < right.milliunits
    }
}
