package import Contracts

/// What is sold, and what it grants.
package struct Catalog: Codable, Equatable, Sendable {
    package let products: [Product]
    /// By name; what is not named follows the default rules.
    package let entitlements: [String: EntitlementRules]
    /// A digest of the content; the same content with its members in another order has the same one.
    package let version: String
    private let index: [Key: Int]
    private let countedness: [String: Bool]

    private struct Key: Hashable {
        let bundleID: BundleID?
        let productID: ProductID
    }

    /// Of two entries for the same product the first one counts.
    package init(products: [Product], entitlements: [String: EntitlementRules] = [:]) {
        self.products = products
        self.entitlements = entitlements
        version = Self.version(of: Self.json(products, entitlements))
        let places = products.enumerated().map { (Key(bundleID: $1.bundleId, productID: $1.productId), $0) }
        index = Dictionary(places) { first, _ in first }
        let grants = products.flatMap(\.allGrants).map { ($0.entitlement, $0.isCounted) }
        countedness = Dictionary(grants) { first, _ in first }
    }

    /// The entry of a product of an app, retired or not; the app's own precedes one for every app.
    ///
    /// Without an app: the one for every app.
    package func product(_ productID: ProductID, of bundleID: BundleID?) -> Product? {
        place(of: productID, in: bundleID).map { products[$0] }
    }

    /// Whether there is an entry of exactly this app, or for every app.
    func hasEntry(_ productID: ProductID, of bundleID: BundleID?) -> Bool {
        index[Key(bundleID: bundleID, productID: productID)] != nil
    }

    /// The products of an app, with those for every app that it has no entry of its own for.
    package func products(of bundleID: BundleID) -> [Product] {
        products.indices.filter { place(of: products[$0].productId, in: bundleID) == $0 }.map { products[$0] }
    }

    /// Whether an entitlement is an amount and not a possession; nil when no product grants it.
    package func isCounted(_ entitlement: String) -> Bool? { countedness.value(ofBytes: entitlement) }

    /// Whether an entitlement has rules of its own.
    package func hasRules(for entitlement: String) -> Bool { entitlements.value(ofBytes: entitlement) != nil }

    /// What taking back does to the balance of an entitlement.
    package func balance(of entitlement: String) -> EntitlementRules.BalanceRule {
        entitlements.value(ofBytes: entitlement)?.balance ?? .negative
    }

    /// The entry that holds for an app; without one, the entry for every app.
    private func place(of productID: ProductID, in bundleID: BundleID?) -> Int? {
        index[Key(bundleID: bundleID, productID: productID)]
            ?? index[Key(bundleID: nil, productID: productID)]
    }
}

// MARK: The rules of a catalog that people write

extension Catalog {
    private enum Keys: String, CodingKey, CaseIterable { case products, entitlements }

    /// Each product may appear once, every replacement must be a product that is sold, and an entitlement is
    /// counted everywhere or nowhere.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: Keys.self)
        self.init(
            products: try members.decode([Product].self, forKey: .products),
            entitlements: try members.optional(.entitlements) ?? [:]
        )
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
            if let mixed = product.allGrants.first(where: { $0.isCounted != isCounted($0.entitlement) }) {
                throw fault(Self.problem(ofMixed: mixed), at: .member("grants"))
            }
            if let problem = problem(ofRetired: product) {
                throw fault(problem, at: .member("retired"), .member("replacement"))
            }
        }
        try checkEntitlements(of: decoder)
    }

    private static func problem(ofMixed grant: Grant) -> String {
        let here = grant.isCounted ? "an amount" : "no amount"
        return "gives \(grant.entitlement) with \(here), an earlier product the other way; an entitlement is "
            + "counted in every product or in none"
    }

    private func problem(ofRetired product: Product) -> String? {
        guard case .replacement(let other)? = product.retired else { return nil }
        guard let place = place(of: other, in: product.bundleId) else {
            return "names \(other), which is no product here; add it or name another"
        }
        guard products[place].retired == nil else {
            return "names \(other), which is retired itself; name one that is not"
        }
        let (ends, wanted) = (products[place].endings, product.endings)
        guard ends != wanted else { return nil }
        let words = { (endings: Set<Product.Ending>) in
            endings.map(\.rawValue).sorted().joined(separator: " and ")
        }
        return
            "names \(other), which gives \(words(ends)) and not \(words(wanted)); name one whose goods end in the "
            + "same way, or write a compensation"
    }

    private func checkEntitlements(of decoder: any Decoder) throws {
        for name in entitlements.keys.sorted() {
            func fault(_ problem: String) -> DecodingError {
                decoder.fault(problem, at: .member("entitlements"), .member(name))
            }
            if let problem = Grant.problem(ofName: name) { throw fault(problem) }
            if isCounted(name) == false {
                throw fault("is granted without an amount, so it has no balance; remove it")
            }
        }
    }

    private static func json(_ products: [Product], _ entitlements: [String: EntitlementRules]) -> JSONValue {
        var members: [String: JSONValue] = ["products": .array(products.map(\.json))]
        members["entitlements"] = entitlements.isEmpty ? nil : .object(entitlements.mapValues(\.json))
        return .object(members)
    }

    /// The whole content with its version.
    package var versionedJSON: JSONValue {
        guard case .object(let members) = Self.json(products, entitlements) else { return .null }
        return .object(members.merging(["version": .string(version)]) { member, _ in member })
    }

    /// Encodes what is said; defaults are absent.
    package func encode(to encoder: any Encoder) throws {
        try Self.json(products, entitlements).encode(to: encoder)
    }
}

extension Dictionary where Key == String {
    /// The value of a key with the same bytes; names that only look alike are two.
    fileprivate func value(ofBytes key: String) -> Value? {
        index(forKey: key).flatMap { self[$0].key.utf8.elementsEqual(key.utf8) ? self[$0].value : nil }
    }
}
