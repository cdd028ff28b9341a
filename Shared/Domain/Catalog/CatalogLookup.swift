extension Catalog {
    /// What the catalog says about a product.
    package enum Lookup: Equatable, Sendable {
        case active(type: ProductType, grants: [Grant], whenOwned: OwnedRule = .grant)
        /// What its replacement, with that one's rule, or its compensation grants; nil when the operator must decide.
        case retired(type: ProductType, grants: [Grant]?, whenOwned: OwnedRule = .grant)
        case unknown
    }
}
