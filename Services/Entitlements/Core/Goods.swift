import Contracts

/// An amount or a possession that a product puts into the ledger.
struct Goods: Codable, Hashable, Sendable {
    var entitlement: String
    /// Units per purchase; nil for a possession.
    var amount: Int64?
    /// Days that one unit of a possession lasts, as the catalog said when it was granted.
    var durationDays: Int?

    /// The goods of `quantity` purchases at once; nil on overflow.
    func times(_ quantity: Int) -> Goods? {
        guard let amount else { return self }
        let (product, overflow) = amount.multipliedReportingOverflow(by: Int64(quantity))
        return overflow ? nil : Goods(entitlement: entitlement, amount: product)
    }

    /// What is left of the goods when `share` of their price was refunded.
    ///
    /// The refunded part is rounded up to whole units; a possession goes back only with the full price.
    func kept(after share: RefundedShare) -> Int64 {
        guard let amount else { return share.isFull ? 0 : 1 }
        let (high, low) = amount.multipliedFullWidth(by: share.milliunits)
        let (whole, rest) = RefundedShare.full.milliunits.dividingFullWidth((high, low))
        return amount - whole - (rest > 0 ? 1 : 0)
    }
}

extension Goods: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        entitlement = try json.member("entitlement", value?.entitlement)
        amount = try json.optional("amount", value?.amount)
        durationDays = try json.optional("durationDays", value?.durationDays)
        try json.close()
    }
}

/// The refunded part of a price, in Apple's milliunits of a percent: 0 to 100,000.
struct RefundedShare: Hashable, Sendable, Comparable {
    let milliunits: Int64

    init(milliunits: Int64) { self.milliunits = min(max(milliunits, 0), 100_000) }

    static let none = RefundedShare(milliunits: 0)
    static let full = RefundedShare(milliunits: 100_000)

    var isFull: Bool { self == .full }

    /// Apple's `revocationPercentage` of a `REFUND_PRORATED`, all of any other revocation.
    init(_ facts: TransactionFacts) {
        switch (facts.revocationDate, facts.revocationType, facts.revocationPercentage) {
        case (nil, _, _): self = .none
        case (_?, "REFUND_PRORATED"?, let share?): self.init(milliunits: Int64(share))
        case (_?, _, _): self = .full
        }
    }

    static func < (left: RefundedShare, right: RefundedShare) -> Bool {
        left.milliunits < right.milliunits
    }
}
