import Contracts
import Domain

/// What the ledger owes for a transaction by the newest statement about it and the catalog.
enum Obligation: Hashable, Sendable {
    /// The price was not refunded in full: these goods, before any refund.
    case owed([Goods])
    /// The price was not refunded in full, but what it buys is not known.
    case withheld(ParkReason)
    /// The price was refunded in full.
    case refunded

    /// `offer` is what the catalog says about the product.
    ///
    /// The catalog's type must be the one that Apple signed. Where an old receipt states none, the catalog's holds, but
    /// periods of a subscription are told by their expiry. `owned` are possessions that other purchases have given the
    /// buyer for ever; the product may say what it gives in place of those. What somebody else paid for gives the same
    /// access whoever else has it.
    init(_ facts: TransactionFacts, offer: Catalog.Lookup, owned: Set<String> = []) {
        guard !RefundedShare(facts).isFull else {
            self = .refunded
            return
        }
        guard let (type, grants, whenOwned) = offer.terms else {
            self = .withheld(.unknownProduct)
            return
        }
        if !type.agrees(with: facts.type) || facts.isPeriod != (type == .autoRenewable) {
            self = .withheld(.typeMismatch)
        } else if grants.isEmpty {
            self = .withheld(.retiredProduct)
        } else {
            // What somebody else paid for gives access, but no amounts.
            let given = facts.isShared ? grants.filter { !$0.isCounted } : grants
            let isOwned = !facts.isShared && grants.areOwned(beside: owned)
            switch whenOwned {
            case .park where isOwned: self = .withheld(.alreadyOwned)
            case .compensation(let others) where isOwned: self = .owing(others, facts.quantity)
            case .grant, .park, .compensation: self = .owing(given, facts.quantity)
            }
        }
    }

    /// Whether what is owed lasts, and is not only an amount.
    var givesPossession: Bool { goods.contains { $0.amount == nil } }

    /// Whether an amount is among what is owed.
    var givesAmount: Bool { goods.contains { $0.amount != nil } }

    private var goods: [Goods] {
        switch self {
        case .owed(let goods): goods
        case .withheld, .refunded: []
        }
    }

    private static func owing(_ grants: [Catalog.Grant], _ quantity: Int) -> Obligation {
        let goods = grants.compactMap {
            Goods(entitlement: $0.entitlement, amount: $0.amount, durationDays: $0.durationDays)
                .times(quantity)
        }
        return quantity > 0 && goods.count == grants.count ? .owed(goods) : .withheld(.unsupportedQuantity)
    }
}

extension [Catalog.Grant] {
    /// Whether every possession among them is owned for ever.
    fileprivate func areOwned(beside owned: Set<String>) -> Bool {
        let possessions = filter { !$0.isCounted }
        return !possessions.isEmpty && possessions.allSatisfy { owned.contains($0.entitlement) }
    }
}
