import Contracts

extension Catalog {
    /// Most bytes of a product's metadata, as JSON without spaces.
    package static let maximumMetadataBytes = 2_048
    /// Bytes of a title, and of a subscription group's name.
    package static let textBytes = 1...256
    /// Bytes of a language tag (RFC 5646, section 4.4.1).
    package static let languageBytes = 2...35
    /// Most purchases that a limit may count.
    package static let maximumLimit = 1_000_000
    /// The year 9999 is the last of RFC 3339.
    package static let dates: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension Catalog.Product: Decodable {
    private enum Keys: String, CodingKey, CaseIterable {
        case productId, type, grants, bundleId, retired, subscriptionGroup, rank, onSaleFrom, onSaleUntil,
            onOtherLogin, limitPerBuyer, referencePrice, titles, metadata
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.strictContainer(keyedBy: Keys.self)
        self.init(
            productId: try members.decode(ProductID.self, forKey: .productId),
            type: try members.decode(Catalog.ProductType.self, forKey: .type),
            grants: try members.grants(.grants),
            bundleId: try members.optional(.bundleId),
            retired: try members.optional(.retired)
        )
        subscriptionGroup = try members.optional(.subscriptionGroup)
        rank = try members.optional(.rank, in: 1...Int(Int32.max))
        onSaleFrom = try members.optional(.onSaleFrom, in: Catalog.dates).map(Timestamp.init(milliseconds:))
        onSaleUntil = try members.optional(.onSaleUntil, in: Catalog.dates).map(Timestamp.init(milliseconds:))
        onOtherLogin = try members.optional(.onOtherLogin) ?? onOtherLogin
        limitPerBuyer = try members.optional(.limitPerBuyer, in: 1...Catalog.maximumLimit)
        referencePrice = try members.optional(.referencePrice)
        titles = try members.optional(.titles)
        metadata = try members.optional(.metadata)
        for (index, grant) in grants.enumerated() {
            if let (name, problem) = self.problem(of: grant) {
                throw decoder.fault(problem, at: .member("grants"), .element(index), .member(name))
            }
        }
        if case .compensation(let grants)? = retired, type != .nonRenewing,
            let index = grants.firstIndex(where: { $0.durationDays != nil })
        {
            throw decoder.fault(
                Self.durationProblem,
                at: .member("retired"),
                .member("compensation"),
                .element(index),
                .member("durationDays")
            )
        }
        if let (key, problem) = problem { throw members.fault(problem, at: key) }
        try checkTitles(of: decoder)
    }

    private static let durationProblem =
        "stands in a product that is not nonRenewing; Apple, or nothing, ends what this one grants"

    /// What is wrong with a grant for this type of product, and with which of its members.
    private func problem(of grant: Catalog.Grant) -> (member: String, problem: String)? {
        switch type {
        case .consumable where grant.amount == nil:
            ("amount", "is missing; a consumable is counted, so say how many it grants")
        case .autoRenewable where grant.amount != nil:
            ("amount", "stands in an autoRenewable product, which gives access and no amounts; remove it")
        case .consumable, .nonConsumable, .autoRenewable:
            grant.durationDays == nil ? nil : ("durationDays", Self.durationProblem)
        case .nonRenewing: nil
        }
    }

    /// The first member that contradicts another one.
    private var problem: (key: Keys, problem: String)? {
        if subscriptionGroup != nil, type != .autoRenewable {
            return (.subscriptionGroup, "stands in a product that is not autoRenewable; remove it")
        }
        if let group = subscriptionGroup, !group.isPrintable(bytes: Catalog.textBytes) {
            return (.subscriptionGroup, "must have 1 to 256 bytes and no control characters; correct it")
        }
        if rank != nil, subscriptionGroup == nil {
            return (.rank, "ranks products of one subscriptionGroup; add the group or remove the rank")
        }
        if let onSaleFrom, let onSaleUntil, onSaleUntil <= onSaleFrom {
            return (.onSaleUntil, "is not later than onSaleFrom; correct one of the two")
        }
        if onOtherLogin == .transfer, type == .consumable {
            return (.onOtherLogin, "cannot be \"transfer\" for a consumable: amounts never move; remove it")
        }
        let bytes = metadata.map { JSONValue.object($0).canonicalText.utf8.count } ?? 0
        return bytes > Catalog.maximumMetadataBytes
            ? (.metadata, "has \(bytes) bytes, but may have \(Catalog.maximumMetadataBytes); shorten it")
            : nil
    }

    private func checkTitles(of decoder: any Decoder) throws {
        for (language, title) in (titles ?? [:]).sorted(by: { $0.key < $1.key }) {
            func fault(_ problem: String) -> DecodingError {
                decoder.fault(problem, at: .member("titles"), .member(language))
            }
            guard language.isLanguageTag(bytes: Catalog.languageBytes) else {
                throw fault("is no language tag; write one such as \"en\" or \"zh-Hans\"")
            }
            guard title.isPrintable(bytes: Catalog.textBytes) else {
                throw fault("must have 1 to 256 bytes and no control characters; correct it")
            }
        }
    }
}

extension String {
    /// Whether this has the form of a language tag: letters and digits, joined by hyphens.
    fileprivate func isLanguageTag(bytes: ClosedRange<Int>) -> Bool {
        let parts = split(separator: "-", omittingEmptySubsequences: false)
        return bytes.contains(utf8.count)
            && parts.allSatisfy { part in
                (1...8).contains(part.utf8.count)
                    && part.unicodeScalars.allSatisfy {
                        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
                    }
            }
    }
}
