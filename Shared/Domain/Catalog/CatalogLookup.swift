extension Catalog {
    /// What the catalog says about a product.
    package enum Lookup: Equatable, Sendable {
        case active(type: ProductType, grants: [Grant])
        /// What its replacement or compensation grants; nil when the operator must decide.
        case retired(type: ProductType, grants: [Grant]?)
        case unknown
    }
}
