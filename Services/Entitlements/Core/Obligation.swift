package import Contracts

/// What the catalog says about a product.
package enum Offer: Hashable, Sendable {
    case goods([Goods])
    /// No longer sold; a late payment yields `instead`, empty when nothing was named.
    case retired(instead: [Goods])
    case unknownProduct
}

/// Finds the offer for an app's product.
package protocol OfferLookup: Sendable {
    func offer(for product: ProductID, of bundle: BundleID) -> Offer
}

/// Why the ledger waits for an operator; the raw value is the reason in its verdict.
package enum ParkReason: String, Sendable, CaseIterable {
    case unknownProduct
    /// The product is retired, without replacement or compensation.
    case retiredProduct
    /// The ledger does not grant Apple's product type yet.
    case unsupportedType
    /// Less than one, or more than a ledger can count.
    case unsupportedQuantity
}

/// What the ledger owes for a transaction by the newest statement about it and the catalog.
package enum Obligation: Hashable, Sendable {
    /// The price was not refunded in full: these goods, before any refund.
    case owed([Goods])
    /// The price was not refunded in full, but what it buys is not known.
    case withheld(ParkReason)
    /// The price was refunded in full.
    case refunded

    package static let supportedTypes: Set<String> = ["Consumable", "Non-Consumable"]

    package init(_ facts: TransactionFacts, offer: Offer) {
        guard !RefundedShare(facts).isFull else {
            self = .refunded
            return
        }
        guard Self.supportedTypes.contains(facts.type) else {
            self = .withheld(.unsupportedType)
            return
        }
        switch offer {
        case .unknownProduct: self = .withheld(.unknownProduct)
        case .retired(let instead) where instead.isEmpty: self = .withheld(.retiredProduct)
        case .retired(let goods), .goods(let goods): self = Self.owing(goods, quantity: facts.quantity)
        }
    }

    private static func owing(_ goods: [Goods], quantity: Int) -> Obligation {
        let all = goods.compactMap { $0.times(quantity) }
        return quantity > 0 && all.count == goods.count ? .owed(all) : .withheld(.unsupportedQuantity)
    }
}
