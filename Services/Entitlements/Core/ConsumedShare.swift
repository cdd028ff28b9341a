import Contracts

/// How much of a purchase its buyer has used, in milliunits of a percent: 0 to 100,000.
///
/// Of amounts, spends use the oldest ones first. The movements of an entitlement, in the order of the ledger, make that
/// line of amounts, and say how much of it is used:
///
/// | movement                    | effect                                               |
/// |-----------------------------|------------------------------------------------------|
/// | grant, credit               | one more amount at the end of the line               |
/// | reversal, reinstatement     | the amount of its purchase is less, or more again    |
/// | spend, its reversal         | so much more, or less, is used, from the beginning   |
///
/// So what was spent of coins that are refunded counts as spent of the next ones. Days of a possession are used as time
/// goes by. What lasts for ever has no used part, and neither has a period of a subscription, of which Apple wants none.
enum ConsumedShare {
    static let whole = 100_000

    /// One entry of an entitlement's ledger.
    struct Movement: Hashable, Sendable {
        var kind: LedgerEntry.Kind
        /// At least 1.
        var amount: Int64
        var purchaseId: PurchaseID?
    }

    /// The used part of what a purchase granted; nil if it granted nothing of this.
    static func used(of purchase: PurchaseID, in movements: [Movement]) -> Int? {
        var (own, granted, spent): (Int64, Int64, Int64) = (0, 0, 0)
        for movement in movements {
            let isOwn = movement.purchaseId == purchase
            switch movement.kind {
            case .spend: spent += movement.amount
            case .spendReversal: spent -= movement.amount
            case .grant where isOwn:
                granted = movement.amount
                own += movement.amount
            case .reinstatement where isOwn: own += movement.amount
            case .reversal where isOwn: own -= movement.amount
            // What moves to another login is never an amount.
            case .grant, .credit, .reinstatement, .reversal, .transferOut, .transferIn: break
            }
        }
        guard granted > 0 else { return nil }
        let used = max(spent - amountBefore(purchase, in: movements), 0)
        return part(min(used, own), of: granted)
    }

    /// What is left of the amounts that came before those of a purchase.
    private static func amountBefore(_ purchase: PurchaseID, in movements: [Movement]) -> Int64 {
        let place = movements.firstIndex { $0.kind == .grant && $0.purchaseId == purchase }
        let earlier = movements[..<(place ?? movements.endIndex)]
        let purchases = Set(earlier.filter { $0.kind == .grant }.compactMap(\.purchaseId))
        let credits = earlier.filter { $0.kind == .credit }.map(\.amount).reduce(0, +)
        return movements.filter { $0.purchaseId.map(purchases.contains) ?? false }.reduce(credits) {
            switch $1.kind {
            case .grant, .reinstatement: $0 + $1.amount
            case .reversal: $0 - $1.amount
            case .spend, .credit, .spendReversal, .transferOut, .transferIn: $0
            }
        }
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
