import Contracts
import Domain

/// An amount or a possession that a product puts into the ledger.
struct Goods: Codable, Hashable, Sendable {
    var entitlement: String
    /// Units per purchase; nil for a possession.
    var amount: Int64?
    /// Days that one unit of a possession lasts, as the catalog said when it was granted.
    var durationDays: Int?
    /// What refunds have taken back and no reversal of them has returned; nil is nothing.
    var taken: Int64?
    /// The transfer by which a possession came to this buyer last; nil if the purchase itself gave it.
    var cameBy: Int?
    /// Of an amount: what was taken back because the purchase is another buyer's; nil where it is not.
    var forfeited: Int64?
    /// How much of that the buyer had used, so that `compensation` made up for it; nil is nothing.
    var compensated: Int64?

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

    /// Takes back what a refund of `share` takes beyond that of `before`, `limit` at most; returns how much.
    mutating func take(_ share: RefundedShare, beyond before: RefundedShare, upTo limit: Int64?) -> Int64 {
        let due = kept(after: before) - kept(after: share)
        let amount = min(due, max(limit ?? due, 0))
        note(taken: (taken ?? 0) + amount)
        return amount
    }

    /// Returns what was taken beyond a refund of `share`; nothing where that much never was.
    mutating func giveBack(downTo share: RefundedShare) -> Int64 {
        let amount = max((taken ?? 0) - (kept(after: .none) - kept(after: share)), 0)
        note(taken: (taken ?? 0) - amount)
        return amount
    }

    /// Takes back the amount that a refund of `share` has left; returns it, and what of it the buyer does not have.
    ///
    /// `limit` is the balance, if that must not fall below zero.
    mutating func forfeit(after share: RefundedShare, upTo limit: Int64?) -> (amount: Int64, missing: Int64) {
        let amount = kept(after: share)
        let missing = amount - min(amount, max(limit ?? amount, 0))
        (forfeited, compensated) = (amount, missing == 0 ? nil : missing)
        return (amount, missing)
    }

    /// Returns what was forfeited and a refund of `share` leaves, and what refunds have taken beyond that.
    mutating func regain(after share: RefundedShare) -> Int64 {
        let all = forfeited ?? 0
        let amount = min(all, kept(after: share))
        forfeited = nil
        note(taken: (taken ?? 0) + all - amount)
        return amount + giveBack(downTo: share)
    }

    /// Gives up what `compensation` has made up for, `limit` at most; returns how much.
    mutating func returnCompensation(upTo limit: Int64) -> Int64 {
        let amount = min(compensated ?? 0, limit)
        let rest = (compensated ?? 0) - amount
        compensated = rest == 0 ? nil : rest
        return amount
    }

    private mutating func note(taken: Int64) { self.taken = taken == 0 ? nil : taken }
}

extension Goods: DirectlyCoded {
    init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        try json.open()
        entitlement = try json.member("entitlement", value?.entitlement)
        amount = try json.optional("amount", value?.amount)
        durationDays = try json.optional("durationDays", value?.durationDays)
        taken = try json.optional("taken", value?.taken)
        cameBy = try json.optional("cameBy", value?.cameBy)
        forfeited = try json.optional("forfeited", value?.forfeited)
        compensated = try json.optional("compensated", value?.compensated)
        try json.close()
    }
}
