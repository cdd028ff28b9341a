/// One product's way from the tap to the payment: decides when an order is made and when StoreKit is asked.
///
/// | phase \ event | buy | ordered | refused | kept | paid | unpaid |
/// |---|---|---|---|---|---|---|
/// | idle | order: ordering | – | – | – | – | – |
/// | ordering | – | keep: keeping | idle | – | – | – |
/// | keeping | – | – | idle | purchase: paying | – | – |
/// | paying | – | – | – | – | idle | keep, report: idle |
///
/// *ordered* comes without an order where the gateway could not be asked: then the gateway makes one when the proof
/// arrives. *refused* is a word of the gateway that forbids to pay, or a phone that cannot keep anything. *unpaid*
/// keeps what StoreKit has said, also that somebody has to approve it: the purchase may be paid all the same, days
/// later. One purchase at a time: `buy` counts in `idle` alone.
package struct Checkout: Equatable, Sendable {
    /// How far the purchase has come.
    package enum Phase: String, Equatable, Sendable, CaseIterable { case idle, ordering, keeping, paying }

    /// What happens to it.
    package enum Event: Equatable, Sendable {
        case buy(buyer: String)
        case ordered(KeptPurchase)
        case refused, kept, paid
        case unpaid(PurchaseOutcome)
    }

    /// What is to be done.
    package enum Effect: Equatable, Sendable {
        /// Ask the gateway for an order of this buyer.
        case order(buyer: String)
        case keep(KeptPurchase)
        /// Ask StoreKit; the token goes along.
        case purchase(KeptPurchase)
        case forget(KeptPurchase)
        /// Tell the gateway what StoreKit said; only where there is an order.
        case report(orderID: String, buyer: String, PurchaseOutcome)
    }

    package private(set) var phase: Phase = .idle
    /// Who buys.
    package private(set) var buyer: String?
    /// What was kept of the purchase that is under way; nil in `idle` and `ordering`.
    package private(set) var purchase: KeptPurchase?
    package init() {}

    /// What follows from an event; none where the table has a dash.
    package mutating func apply(_ event: Event) -> [Effect] {
        switch (phase, event) {
        case (.idle, .buy(let buyer)):
            (phase, self.buyer) = (.ordering, buyer)
            return [.order(buyer: buyer)]
        case (.ordering, .ordered(let kept)):
            (phase, purchase) = (.keeping, kept)
            return [.keep(kept)]
        case (.keeping, .kept):
            phase = .paying
            return purchase.map { [.purchase($0)] } ?? []
        case (.paying, .unpaid(let outcome)):
            guard var kept = purchase else { return [] }
            (phase, purchase) = (.idle, nil)
            kept.state = outcome == .deferred ? .deferred : .unpaid
            return [.keep(kept)]
                + (kept.orderID.map { [.report(orderID: $0, buyer: kept.buyer, outcome)] } ?? [])
        case (.ordering, .refused), (.keeping, .refused), (.paying, .paid):
            (phase, purchase) = (.idle, nil)
            return []
        case (_, .buy), (_, .ordered), (_, .refused), (_, .kept), (_, .paid), (_, .unpaid):
            return []
        }
    }
}
