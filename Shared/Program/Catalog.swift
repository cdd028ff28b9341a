package import Contracts

/// What `catalog.json` says: the products and what they grant.
package struct Catalog: Encodable, Equatable, Sendable {
    /// Apple's kinds of product.
    package enum ProductType: String, Codable, Sendable, CaseIterable {
        case consumable, nonConsumable, autoRenewable, nonRenewing
    }

    /// What one unit of a product gives its buyer.
    package struct Grant: Codable, Hashable, Sendable {
        package var entitlement: String
        /// Added to the balance of the entitlement; absent when the entitlement is possessed, not counted.
        package var amount: Int64?

        package init(entitlement: String, amount: Int64? = nil) {
            self.entitlement = entitlement
            self.amount = amount
        }
    }

    /// What holds for a product that is sold no more; late payments for it still arrive.
    package enum Retirement: Hashable, Sendable {
        /// What another product grants is granted.
        case replacement(ProductID)
        /// These are granted.
        case compensation([Grant])
        /// The operator decides: it is parked.
        case undecided
    }

    /// One product; entries are retired, never deleted.
    package struct Product: Encodable, Equatable, Sendable {
        package var productId: ProductID
        package var type: ProductType
        package var grants: [Grant]
        /// The app that sells it; nil for every app.
        package var bundleId: BundleID?
        package var retired: Retirement?

        package init(
            productId: ProductID,
            type: ProductType,
            grants: [Grant],
            bundleId: BundleID? = nil,
            retired: Retirement? = nil
        ) {
            self.productId = productId
            self.type = type
            self.grants = grants
            self.bundleId = bundleId
            self.retired = retired
        }
    }

    /// What the catalog says about a product.
    package enum Lookup: Equatable, Sendable {
        case active(type: ProductType, grants: [Grant])
        /// What its replacement or compensation grants; nil when the operator must decide.
        case retired(type: ProductType, grants: [Grant]?)
        case unknown
    }

    package let products: [Product]
    private let index: [Key: Product]

    private struct Key: Hashable {
        let bundleID: BundleID?
        let productID: ProductID
    }

    private enum CodingKeys: String, CodingKey { case products }

    /// A catalog of products; of two entries for the same product the first one holds.
    package init(products: [Product]) {
        self.products = products
        index = Dictionary(
            products.map { (Key(bundleID: $0.bundleId, productID: $0.productId), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// What a product of an app grants; an entry of that app goes before one for every app.
    package func lookup(bundleID: BundleID, productID: ProductID) -> Lookup {
        guard let product = product(productID, of: bundleID) else { return .unknown }
        switch product.retired {
        case nil: return .active(type: product.type, grants: product.grants)
        case .replacement(let other):
            return .retired(type: product.type, grants: self.product(other, of: bundleID)?.grants)
        case .compensation(let grants): return .retired(type: product.type, grants: grants)
        case .undecided: return .retired(type: product.type, grants: nil)
        }
    }

    func product(_ productID: ProductID, of bundleID: BundleID?) -> Product? {
        index[Key(bundleID: bundleID, productID: productID)]
            ?? index[Key(bundleID: nil, productID: productID)]
    }
}

extension Catalog.Retirement: Encodable {
    private enum Keys: String, CodingKey { case replacement, compensation }

    /// Encodes an object with at most one member.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        switch self {
        case .replacement(let product): try container.encode(product, forKey: .replacement)
        case .compensation(let grants): try container.encode(grants, forKey: .compensation)
        case .undecided: break
        }
    }
}
