package import Contracts

extension Catalog {
    /// What the catalog says about a product.
    package enum Lookup: Equatable, Sendable {
        case active(type: ProductType, grants: [Grant], whenOwned: OwnedRule = .grant)
        /// What its replacement, with that one's rule, or its compensation grants; nil when the operator must decide.
        case retired(type: ProductType, grants: [Grant]?, whenOwned: OwnedRule = .grant)
        case unknown
    }

    /// What a product of an app grants; the app's own entry precedes one for every app.
    package func lookup(bundleID: BundleID, productID: ProductID) -> Lookup {
        guard let sold = product(productID, of: bundleID) else { return .unknown }
        let type = sold.type
        switch sold.retired {
        case nil: return .active(type: type, grants: sold.grants, whenOwned: sold.whenOwned)
        case .replacement(let other):
            let other = product(other, of: bundleID)
            return .retired(type: type, grants: other?.grants, whenOwned: other?.whenOwned ?? .grant)
        case .compensation(let grants): return .retired(type: type, grants: grants)
        case .undecided: return .retired(type: type, grants: nil)
        }
    }
}
