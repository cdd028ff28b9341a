import Contracts

/// A period of a subscription, with every transaction that pays for it.
///
/// Tested by: `SeatTests`.
///
/// Seats that are added to a running period are another transaction with a purchase of its own, which replaces nothing:
///
/// | a transaction | belongs to |
/// |---|---|
/// | states `SEAT_ADDITION`, and was bought while one of the period before, of the same product, runs | that period |
/// | any other: the first one, a renewal, an upgrade, what was bought after a lapse | a period of its own |
/// | a member's `ASSIGNED` copy | a period of its own, outside the chain |
///
/// The first transaction of a period states `SEAT_ADDITION`, too, once seats were added; its interval alone tells the
/// two apart. Such a period gives access until each of its transactions has expired or is revoked.
struct PaidPeriod: Hashable, Sendable {
    /// In order of time; at least one.
    private(set) var transactions: [SubscriptionPeriod]

    /// The period that one transaction begins.
    init(_ first: SubscriptionPeriod) { transactions = [first] }

    /// The periods of a chain in order of time.
    static func chain(of transactions: [SubscriptionPeriod]) -> [PaidPeriod] {
        let inOrder = transactions.sorted {
            ($0.purchaseDate, $0.purchaseId) < ($1.purchaseDate, $1.purchaseId)
        }
        return inOrder.reduce(into: []) { periods, transaction in
            if let last = periods.indices.last, periods[last].includes(transaction) {
                periods[last].transactions.append(transaction)
            } else {
                periods.append(PaidPeriod(transaction))
            }
        }
    }

    private func includes(_ next: SubscriptionPeriod) -> Bool {
        next.hasSeatAdditions && next.productId == first.productId
            && transactions.contains { $0.runs(at: next.purchaseDate) }
    }

    var first: SubscriptionPeriod { transactions[0] }

    /// Its place in the chain.
    var start: (Timestamp, PurchaseID) { (first.purchaseDate, first.purchaseId) }

    /// Whether Apple replaced it by a period of another product before its end.
    var isUpgraded: Bool { transactions.contains(where: \.isUpgraded) }

    /// Whether every transaction was refunded, or is no longer shared.
    var isRevoked: Bool { transactions.allSatisfy { $0.revocationDate != nil } }

    /// Apple's end of it.
    var expires: Timestamp? { transactions.compactMap(\.expiresDate).max() }

    /// Those of all transactions together; nil where none were bought.
    ///
    /// The price is not known as long as one of them has none.
    var seats: SubscriptionsV1.Subscription.Seats? {
        let all = transactions.compactMap(\.seats)
        guard let first = all.first else { return nil }
        let prices = all.compactMap(\.price)
        let revoked = all.compactMap(\.revoked)
        return SubscriptionsV1.Subscription.Seats(
            quantity: all.reduce(0) { $0 + $1.quantity },
            revoked: revoked.isEmpty ? nil : revoked.reduce(0, +),
            price: prices.count == all.count ? prices.sum : nil,
            currency: first.currency
        )
    }
}

extension [Int64] {
    /// Nil beyond the largest number.
    fileprivate var sum: Int64? {
        reduce(0) { sum, next in
            guard let sum else { return nil }
            let (total, isTooMuch) = sum.addingReportingOverflow(next)
            return isTooMuch ? nil : total
        }
    }
}
