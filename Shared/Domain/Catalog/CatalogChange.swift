package import Contracts

/// What becomes of a group when another catalog takes the place of the loaded one.
///
/// Purchases of a product may come years after it was last sold, and a refund may come for each, so a product's id is
/// never reused:
///
/// | change                                                      |          |
/// |-------------------------------------------------------------|----------|
/// | a product is new, retired, or sold again                    | allowed  |
/// | a product grants another entitlement as well, other amounts | allowed  |
/// | a possession lasts for another number of days               | allowed: each grant keeps the days it came with |
/// | titles, dates, limits, prices, rules, metadata              | allowed  |
/// | a product is gone                                           | refused: retire it |
/// | a product has another type                                  | refused, unless the operator says that the old one was a mistake |
/// | a product grants an entitlement no more, also a retired one | refused: a retirement says what late payments get |
/// | an amount becomes a possession, or the other way            | refused  |
///
/// A mistaken type grants nothing, because what Apple signs differs from it, so a product with one counts as new.
/// An entry of one app takes over from the entry for every app, so it is compared with that where it is new.
package struct CatalogChange: Equatable, Sendable {
    /// Why the new catalog cannot take the place of the old one.
    package struct Refusal: Equatable, Sendable {
        package let productId: ProductID
        package let bundleId: BundleID?
        package let problem: String
    }

    /// What differs, one line a product or entitlement.
    package let differences: [String]
    package let refusals: [Refusal]

    /// `corrected` are the products whose type in the old catalog was a mistake.
    package init(from old: Catalog, to new: Catalog, correcting corrected: Set<ProductID> = []) {
        let sold = old.without(corrected)
        var refusals: [Refusal] = []
        var differences: [String] = []
        for product in new.products {
            let (bundle, id) = (product.bundleId, product.productId)
            if let problem = Self.problem(of: product, after: sold.product(id, of: bundle), sold) {
                refusals.append(Refusal(product, problem))
            }
            let known = old.product(id, of: bundle)
            differences += Self.difference(of: product, from: known).map { ["\(product.name): \($0)"] } ?? []
        }
        for product in old.products where !new.hasEntry(product.productId, of: product.bundleId) {
            let problem =
                "is gone, but late payments and refunds still come; put it back, with \"retired\": {} or better a "
                + "replacement or a compensation"
            refusals.append(Refusal(product, problem))
        }
        for name in Set(old.entitlements.keys).union(new.entitlements.keys).sorted()
        where old.balance(of: name) != new.balance(of: name) {
            differences.append("entitlement \(name): balance \(new.balance(of: name).rawValue)")
        }
        self.differences = differences
        self.refusals = refusals
    }

    private static func problem(
        of product: Catalog.Product,
        after known: Catalog.Product?,
        _ old: Catalog
    ) -> String? {
        for grant in product.allGrants where old.isCounted(grant.entitlement) == !grant.isCounted {
            let now = grant.isCounted ? "an amount, but was a possession" : "a possession, but was an amount"
            return "grants \(grant.entitlement) as \(now); name another entitlement"
        }
        guard let known else { return nil }
        guard known.type == product.type else {
            return
                "is \(product.type.rawValue), but was \(known.type.rawValue); a product's type never changes, so "
                + "make a product with another id; if it was a mistake, load with --correct-type \(product.productId)"
        }
        let granted = Set(product.grants.map(\.entitlement))
        guard let lost = known.grants.map(\.entitlement).first(where: { !granted.contains($0) }) else {
            return nil
        }
        return
            "grants \(lost) no more; buyers paid for it, so put it back; to sell the product no more, retire it and "
            + "keep its grants"
    }

    /// Nil when nothing differs.
    private static func difference(of product: Catalog.Product, from known: Catalog.Product?) -> String? {
        guard let known else { return "new" }
        guard case .object(let before) = known.json, case .object(let now) = product.json else { return nil }
        let changed = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
        switch (known.retired, product.retired) {
        case (nil, .some): return "retired"
        case (.some, nil): return "sold again"
        case (nil, nil), (.some, .some):
            return changed.isEmpty ? nil : "changed " + changed.joined(separator: ", ")
        }
    }
}

extension Catalog {
    fileprivate func without(_ products: Set<ProductID>) -> Catalog {
        guard !products.isEmpty else { return self }
        let others = self.products.filter { !products.contains($0.productId) }
        return Catalog(products: others, entitlements: entitlements)
    }
}

extension CatalogChange.Refusal {
    fileprivate init(_ product: Catalog.Product, _ problem: String) {
        self.init(productId: product.productId, bundleId: product.bundleId, problem: problem)
    }
}

extension Catalog.Product {
    fileprivate var name: String { bundleId.map { "\(productId) of \($0)" } ?? "\(productId)" }
}
