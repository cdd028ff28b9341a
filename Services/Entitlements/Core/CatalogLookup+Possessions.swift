import Domain

extension Catalog.Lookup {
    /// The product's type, what it gives, and the rule where that is owned; nil of an unknown product.
    var terms: (type: Catalog.ProductType, grants: [Catalog.Grant], whenOwned: Catalog.OwnedRule)? {
        switch self {
        case .active(let type, let grants, let rule): (type, grants, rule)
        case .retired(let type, let compensation, let rule): (type, compensation ?? [], rule)
        case .unknown: nil
        }
    }

    /// The entitlements that it gives to have.
    var possessions: Set<String> {
        Set((terms?.grants ?? []).filter { !$0.isCounted }.map(\.entitlement))
    }

    /// Whether it matters what the buyer owns already.
    var asksWhatIsOwned: Bool {
        switch terms?.whenOwned {
        case nil, .grant: false
        case .park, .compensation: true
        }
    }
}
