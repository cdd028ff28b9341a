import Contracts

/// What Entitlements must be told of a subscription, besides its periods, when one of them has come to be held.
///
/// Tested by: `SubscriptionNewsTests`.
///
/// | the neighbours of the period | told |
/// |---|---|
/// | the held period before it is another buyer's | that buyer: the period, as the successor |
/// | the held period after it is another buyer's | its own holder: that one, as the successor |
/// | no held period after it | its own holder: Apple's word of the next renewal |
///
/// So no two buyers have access by one chain at one time, and whoever holds the last period knows how it goes on.
enum SubscriptionNews {
    /// A period of the chain, and who holds it.
    struct Period: Hashable, Sendable {
        let purchaseId: PurchaseID
        let purchaseDate: Timestamp
        let holder: BuyerID

        fileprivate var successor: SubscriptionUpdatedV1.Successor {
            .init(purchaseId: purchaseId, purchaseDate: purchaseDate)
        }
    }

    /// What one buyer is told.
    struct Item: Hashable, Sendable {
        let buyer: BuyerID
        var renewal: RenewalFacts?
        var successor: SubscriptionUpdatedV1.Successor?
    }

    static func items(
        _ period: Period,
        before: Period?,
        after: Period?,
        renewal: RenewalFacts?
    ) -> [Item] {
        var items: [Item] = []
        if let before, before.holder != period.holder {
            items.append(Item(buyer: before.holder, successor: period.successor))
        }
        if let after, after.holder != period.holder {
            items.append(Item(buyer: period.holder, successor: after.successor))
        }
        if after == nil, let renewal { items.append(Item(buyer: period.holder, renewal: renewal)) }
        return items
    }
}
