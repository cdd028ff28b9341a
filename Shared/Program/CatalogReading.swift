import Contracts

extension Catalog {
    /// What the home's `catalog.json` says.
    ///
    /// - Throws: `ConfigurationError` that names the member that is wrong.
    package init(of home: Home) throws(ConfigurationError) {
        try self.init(ConfigurationValue(home.contents(ofFile: home.catalogFile), file: home.catalogFile))
    }

    /// What a text in the form of `catalog.json` says.
    ///
    /// - Throws: `ConfigurationError` that names the member that is wrong.
    package init(json: String) throws(ConfigurationError) {
        try self.init(ConfigurationValue(json, file: "catalog.json"))
    }

    private init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let members = try value.object(["products"]).required("products").array()
        self.init(products: try members.map(Product.init))
        try checkNames(members)
        for (product, member) in zip(products, members) { try checkReplacement(of: product, member) }
    }

    private func checkNames(_ members: [ConfigurationValue]) throws(ConfigurationError) {
        var seen: Set<[String]> = []
        for (product, member) in zip(products, members) {
            let name = [product.productId.rawValue] + [product.bundleId?.rawValue].compactMap(\.self)
            guard seen.insert(name).inserted else {
                let problem = "names \(product.productId) a second time; remove one of the two"
                throw member.child("productId", .null).fault(problem)
            }
        }
    }

    private func checkReplacement(
        of product: Product,
        _ member: ConfigurationValue
    ) throws(ConfigurationError) {
        guard case .replacement(let other)? = product.retired else { return }
        let member = member.child("retired", .null).child("replacement", .null)
        guard let replacement = self.product(other, of: product.bundleId) else {
            throw member.fault("names \(other), which is no product here; add it or name another")
        }
        guard replacement.retired == nil else {
            throw member.fault("names \(other), which is retired itself; name one that is not")
        }
    }
}

extension Catalog.Product {
    fileprivate init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["productId", "type", "grants", "bundleId", "retired"])
        productId = try object.required("productId").identifier(ProductID.self, "a product id")
        type = try object.required("type").choice(Catalog.ProductType.self)
        bundleId = try object["bundleId"]?.identifier(BundleID.self, "a bundle id")
        retired = try object["retired"].map(Catalog.Retirement.init)
        let grants = try object.required("grants")
        self.grants = try Catalog.grants(grants)
        guard type == .consumable else { return }
        for (index, grant) in self.grants.enumerated() where grant.amount == nil {
            let problem = "is missing; a consumable is counted, so say how many it grants"
            throw try grants.array()[index].child("amount", .null).fault(problem)
        }
    }
}

extension Catalog.Retirement {
    fileprivate init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["replacement", "compensation"])
        switch (object["replacement"], object["compensation"]) {
        case (let product?, nil): self = .replacement(try product.identifier(ProductID.self, "a product id"))
        case (nil, let grants?): self = .compensation(try Catalog.grants(grants))
        case (nil, nil): self = .undecided
        case (_?, _?): throw value.fault("has a replacement and a compensation; remove one")
        }
    }
}

extension Catalog {
    /// Most units that one product may grant, so that quantities cannot overflow a balance.
    package static let maximumAmount: Int64 = 1_000_000_000_000

    /// Most entitlements of one product: with the largest metadata, the event that tells of them all must fit.
    package static let maximumGrants = 16

    fileprivate static func grants(_ value: ConfigurationValue) throws(ConfigurationError) -> [Grant] {
        let grants = try value.array().map(Grant.init)
        guard !grants.isEmpty else { throw value.fault("names nothing that is granted; add an entitlement") }
        guard grants.count <= maximumGrants else {
            throw value.fault("names more than \(maximumGrants) entitlements; split the product")
        }
        guard Set(grants.map(\.entitlement)).count == grants.count else {
            throw value.fault("names one entitlement twice; add the amounts up")
        }
        return grants
    }
}

extension Catalog.Grant {
    fileprivate init(_ value: ConfigurationValue) throws(ConfigurationError) {
        let object = try value.object(["entitlement", "amount"])
        let entitlement = try object.required("entitlement")
        self.init(
            entitlement: try entitlement.string(),
            amount: try object["amount"]?.integer(in: 1...Catalog.maximumAmount)
        )
        guard BuyerID.isValid(self.entitlement) else {
            throw entitlement.fault("must have 1 to 128 bytes and no control characters; rename it")
        }
    }
}
