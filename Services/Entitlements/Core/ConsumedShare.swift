import Contracts

/// How much of a purchase its buyer has used, in milliunits of a percent: 0 to 100,000.
///
/// Tested by: `ConsumedShareTests`.
///
/// Of amounts, spends use the oldest ones first. The entries of an entitlement, in the order of the ledger, make that
/// line of amounts, and say how much of it is used:
///
/// | entry                       | effect                                               |
/// |-----------------------------|------------------------------------------------------|
/// | grant, credit               | one more amount at the end of the line               |
/// | reversal, reinstatement     | the amount of its purchase is less, or more again    |
/// | compensation, its reversal  | the amount of its purchase is more, or less again    |
/// | spend, its reversal         | so much more, or less, is used, from the beginning   |
///
/// So what was spent of coins that are refunded counts as spent of the next ones. Days of a possession are used as time
/// goes by. What lasts for ever has no used part, and neither has a period of a subscription, of which Apple wants
/// none.
enum ConsumedShare {
    static let whole = 100_000

    /// Sums of a buyer's entries of one entitlement, from the view of a purchase.
    struct Amounts: Hashable, Sendable {
        /// What the purchase gave.
        var granted: Int64
        /// What refunds have left of it.
        var own: Int64
        /// What is left of the amounts that came before it.
        var older: Int64
        /// What was spent of all, and not given back.
        var spent: Int64
    }

    /// The used part of what a purchase granted; nil if it granted nothing of this.
    static func used(_ amounts: Amounts) -> Int? {
        guard amounts.granted > 0 else { return nil }
        return part(min(max(amounts.spent - amounts.older, 0), amounts.own), of: amounts.granted)
    }

    /// The part of its days that a purchase has already given at a moment.
    static func used(of span: TimedPossession.Span, at now: Timestamp) -> Int {
        let length = span.ends.milliseconds - span.begins.milliseconds
        guard length > 0 else { return whole }
        return part(min(max(now.milliseconds - span.begins.milliseconds, 0), length), of: length)
    }

    /// The used part of several goods: their mean; nil where none has parts.
    static func mean(_ shares: [Int]) -> Int? {
        shares.isEmpty ? nil : shares.reduce(0, +) / shares.count
    }

    /// `amount` is at most `all`.
    private static func part(_ amount: Int64, of all: Int64) -> Int {
        guard amount < all else { return whole }
        let product = max(amount, 0).multipliedFullWidth(by: Int64(whole))
        return Int(all.dividingFullWidth(product).quotient)
    }
}
