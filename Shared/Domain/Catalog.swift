package import Contracts

/// What is sold, and what it grants.
package struct Catalog: Codable, Equatable, Sendable {
    /// Apple's kinds of product.
    package enum ProductType: String, Encodable, Sendable, CaseIterable {
        case consumable, nonConsumable, autoRenewable, nonRenewing
    }

    /// What one unit of a product grants.
    package struct Grant: Codable, Hashable, Sendable {
        package var entitlement: String
        /// Nil when the entitlement is possessed, not counted.
        package var amount: Int64?

        private enum CodingKeys: String, CodingKey, CaseIterable { case entitlement, amount }

        package init(entitlement: String, amount: Int64? = nil) {
            self.entitlement = entitlement
            self.amount = amount
        }
    }

    /// What a retired product grants; late payments for it still arrive.
    package enum Retirement: Hashable, Sendable {
        case replacement(ProductID)
        case compensation([Grant])
        /// The purchase is parked for the operator.
        case undecided
    }

    /// One product; entries are retired, never deleted.
    package struct Product: Codable, Equatable, Sendable {
        package var productId: ProductID
        package var type: ProductType
        package var grants: [Grant]
        /// Nil for every app.
        package var bundleId: BundleID?
        package var retired: Retirement?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case productId, type, grants, bundleId, retired
        }

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

    /// Most units one product may grant, so that quantities cannot overflow a balance.
    package static let maximumAmount: Int64 = 1_000_000_000_000

    /// Most entitlements of one product, so that an event with all of them and the largest metadata fits.
    package static let maximumGrants = 16

    package let products: [Product]
    private let index: [Key: Product]

    private struct Key: Hashable {
        let bundleID: BundleID?
        let productID: ProductID
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case products }

    /// Of two entries for the same product the first one counts.
    package init(products: [Product]) {
        self.products = products
        index = Dictionary(
            products.map { (Key(bundleID: $0.bundleId, productID: $0.productId), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// What a product of an app grants; the app's own entry precedes one for every app.
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

    private func product(_ productID: ProductID, of bundleID: BundleID?) -> Product? {
        index[Key(bundleID: bundleID, productID: productID)]
            ?? index[Key(bundleID: nil, productID: productID)]
    }
}

// MARK: The rules of a catalog that people write

extension Catalog {
    /// Each product may appear once, and every replacement must be a product that is sold.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        self.init(products: try members.decode([Product].self, forKey: .products))
        var seen: Set<Key> = []
        for (number, product) in products.enumerated() {
            func fault(_ problem: String, at way: JSONText.Step...) -> DecodingError {
                let steps: [JSONText.Step] = [.member("products"), .element(number)] + way
                return .dataCorrupted(
                    .init(codingPath: decoder.codingPath + steps, debugDescription: problem)
                )
            }
            let key = Key(bundleID: product.bundleId, productID: product.productId)
            guard seen.insert(key).inserted else {
                let problem = "names \(product.productId) a second time; remove one of the two"
                throw fault(problem, at: .member("productId"))
            }
            guard case .replacement(let other)? = product.retired else { continue }
            guard let replacement = self.product(other, of: product.bundleId) else {
                let problem = "names \(other), which is no product here; add it or name another"
                throw fault(problem, at: .member("retired"), .member("replacement"))
            }
            guard replacement.retired == nil else {
                let problem = "names \(other), which is retired itself; name one that is not"
                throw fault(problem, at: .member("retired"), .member("replacement"))
            }
        }
    }
}

extension Catalog.ProductType: Decodable {
    package init(from decoder: any Decoder) throws {
        let known = Self.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        self = try decoder.value(ofText: Self.init(rawValue:), or: "is no type; write one of \(known)")
    }
}

extension Catalog.Product {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        productId = try members.decode(ProductID.self, forKey: .productId)
        type = try members.decode(Catalog.ProductType.self, forKey: .type)
        bundleId = try members.optional(.bundleId)
        retired = try members.optional(.retired)
        grants = try members.grants(.grants)
        if type == .consumable, let index = grants.firstIndex(where: { $0.amount == nil }) {
            let problem = "is missing; a consumable is counted, so say how many it grants"
            throw decoder.fault(problem, at: .member("grants"), .element(index), .member("amount"))
        }
    }
}

extension Catalog.Retirement: Codable {
    private enum Keys: String, CodingKey, CaseIterable { case replacement, compensation }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: Keys.self)
        let replacement: ProductID? = try members.optional(.replacement)
        switch (replacement, members.contains(.compensation)) {
        case (let product?, false): self = .replacement(product)
        case (nil, true): self = .compensation(try members.grants(.compensation))
        case (nil, false): self = .undecided
        case (_?, true): throw decoder.fault("has a replacement and a compensation; remove one")
        }
    }

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

extension Catalog.Grant {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
        entitlement = try members.decode(String.self, forKey: .entitlement)
        guard BuyerID.isValid(entitlement) else {
            let problem = "must have 1 to 128 bytes and no control characters; rename it"
            throw members.fault(problem, at: .entitlement)
        }
        amount = try members.optional(.amount, in: 1...Catalog.maximumAmount)
    }
}

extension KeyedDecodingContainer {
    fileprivate func grants(_ key: Key) throws -> [Catalog.Grant] {
        let grants = try decode([Catalog.Grant].self, forKey: key)
        guard !grants.isEmpty else {
            throw fault("names nothing that is granted; add an entitlement", at: key)
        }
        guard grants.count <= Catalog.maximumGrants else {
            throw fault("names more than \(Catalog.maximumGrants) entitlements; split the product", at: key)
        }
        guard Set(grants.map(\.entitlement)).count == grants.count else {
            throw fault("names one entitlement twice; add the amounts up", at: key)
        }
        return grants
    }
}
