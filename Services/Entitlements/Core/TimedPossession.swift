import Contracts
import Domain

/// How long purchases that last for days give one entitlement.
///
/// Tested by: `TimedPossessionTests`.
///
/// The purchases of a buyer are laid end to end in order of purchase:
///
/// | a purchase             | begins                      | ends                                  |
/// |------------------------|-----------------------------|---------------------------------------|
/// | the first one          | when it was bought          | its days × its quantity later         |
/// | bought before that end | where the one before ends   | its days × its quantity later         |
/// | bought after that end  | when it was bought          | its days × its quantity later         |
/// | refunded in full       | not at all: all are laid anew without it, so later ones may begin earlier    |
///
/// Any order of the same purchases gives the same spans: those that were bought at the same moment follow each other by
/// their purchase ids.
enum TimedPossession {
    /// One purchase that is not refunded in full.
    struct Purchase: Hashable, Sendable {
        var id: PurchaseID
        var purchaseDate: Timestamp
        /// Days of one unit.
        var durationDays: Int
        var quantity: Int
    }

    /// When a purchase gives the entitlement: from `begins` to before `ends`.
    struct Span: Hashable, Sendable {
        var id: PurchaseID
        var begins: Timestamp
        var ends: Timestamp
    }

    static let millisecondsPerDay: Int64 = 86_400_000
    /// The year 9999 is the last of RFC 3339; what would last longer ends there.
    static let lastMoment = Timestamp(milliseconds: Catalog.dates.upperBound)

    /// The spans of the purchases, in order of time.
    static func spans(of purchases: some Sequence<Purchase>) -> [Span] {
        let inOrder = purchases.sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        return inOrder.reduce(into: []) { spans, purchase in
            let begins = max(purchase.purchaseDate, spans.last?.ends ?? purchase.purchaseDate)
            spans.append(Span(id: purchase.id, begins: begins, ends: purchase.end(from: begins)))
        }
    }

    /// When the entitlement ends, whether or not there are gaps before; nil without a purchase.
    static func end(of purchases: some Sequence<Purchase>) -> Timestamp? { spans(of: purchases).last?.ends }
}

extension TimedPossession.Purchase {
    fileprivate func end(from begins: Timestamp) -> Timestamp {
        let (days, tooMany) = Int64(durationDays).multipliedReportingOverflow(by: Int64(max(quantity, 0)))
        let (length, tooLong) = days.multipliedReportingOverflow(by: TimedPossession.millisecondsPerDay)
        let (end, tooLate) = begins.milliseconds.addingReportingOverflow(length)
        let last = TimedPossession.lastMoment
        guard !tooMany, !tooLong, !tooLate else { return max(begins, last) }
        return max(begins, min(Timestamp(milliseconds: end), last))
    }
}
