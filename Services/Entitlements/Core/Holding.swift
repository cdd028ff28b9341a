import Contracts
import Domain

/// Everything that gives a buyer one entitlement: what lasts for ever, days that were bought, and subscriptions.
///
/// It is held while any of them gives it. Times that touch or overlap are one time; its end is when the entitlement
/// expires, which never happens if one of them lasts for ever.
struct Holding: Hashable, Sendable {
    /// A purchase that gives the entitlement for ever.
    struct Permanent: Hashable, Sendable {
        var productId: ProductID
        var purchaseDate: Timestamp
    }

    /// Bought days of a product.
    struct Timed: Hashable, Sendable {
        var productId: ProductID
        var purchase: TimedPossession.Purchase
    }

    /// A time of a subscription; `since` is when its chain began to give the entitlement without a gap.
    struct Span: Hashable, Sendable {
        var productId: ProductID
        var since: Timestamp
        var begins: Timestamp
        var ends: Timestamp
    }

    let entitlement: String
    /// By purchase date; the first one counts.
    var permanent: [Permanent] = []
    var timed: [Timed] = []
    var spans: [Span] = []

    init(_ entitlement: String) { self.entitlement = entitlement }

    /// What is held at a moment; nil if nothing gives the entitlement then.
    func possession(at now: Timestamp) -> EntitlementsV1.Possession? {
        if let permanent = permanent.first {
            return EntitlementsV1.Possession(
                entitlement: entitlement,
                productId: permanent.productId,
                since: permanent.purchaseDate
            )
        }
        let all = allSpans(at: now)
        let current = all.filter { $0.begins <= now && now < $0.ends }.max { $0.ends < $1.ends }
        guard let current, let time = Self.unbroken(all).first(where: { $0.begins <= now && now < $0.ends })
        else { return nil }
        return EntitlementsV1.Possession(
            entitlement: entitlement,
            productId: current.productId,
            since: time.since,
            expires: time.ends
        )
    }

    /// When time alone changes next what is held at a moment; nil if never.
    func nextChange(after now: Timestamp) -> Timestamp? {
        if let possession = possession(at: now) { return possession.expires }
        return allSpans(at: now).map(\.begins).filter { $0 > now }.min()
    }

    /// The spans of days and of subscriptions.
    private func allSpans(at now: Timestamp) -> [Span] {
        var products: [PurchaseID: ProductID] = [:]
        for source in timed { products[source.purchase.id] = source.productId }
        var days = TimedPossession.spans(of: timed.map(\.purchase)).compactMap { span in
            products[span.id].map {
                Span(productId: $0, since: span.begins, begins: span.begins, ends: span.ends)
            }
        }
        // What was bought a moment ago by Apple's clock may lie ahead of this machine's.
        if let first = days.first, first.begins > now { days[0].begins = now }
        return days + spans
    }

    /// Times without a gap, which count from `begins` on.
    private static func unbroken(_ spans: [Span]) -> [Span] {
        spans.sorted { ($0.since, $0.ends) < ($1.since, $1.ends) }.reduce(into: []) { times, span in
            if let last = times.last, span.since <= last.ends {
                times[times.endIndex - 1].ends = max(last.ends, span.ends)
            } else {
                var time = span
                time.begins = min(span.since, span.begins)
                times.append(time)
            }
        }
    }
}
