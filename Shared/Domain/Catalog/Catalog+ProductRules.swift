import Contracts

extension Catalog {
    /// Bytes of a title, and of a subscription group's name.
    package static let textBytes = 1...256
    /// Bytes of a language tag (RFC 5646, section 4.4.1).
    package static let languageBytes = 2...35
    /// Most purchases that a limit may count.
    package static let maximumLimit = 1_000_000
    /// Sale dates, ms; what would be earlier than March 1973 is meant in seconds.
    static let saleDates: ClosedRange<Int64> = 100_000_000_000...dates.upperBound
    /// The year 9999 is the last of RFC 3339.
    package static let dates: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension Catalog.Product: Decodable {
    private enum Keys: String, CodingKey, CaseIterable {
        case productId, type, grants, bundleId, retired, subscriptionGroup, rank, onSaleFrom, onSaleUntil,
            onOtherLogin, whenOwned, limitPerBuyer, referencePrice, titles, metadata
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
        onSaleFrom = try members.saleDate(.onSaleFrom)
        onSaleUntil = try members.saleDate(.onSaleUntil)
        onOtherLogin = try members.optional(.onOtherLogin) ?? onOtherLogin
        whenOwned = try members.optional(.whenOwned) ?? whenOwned
        limitPerBuyer = try members.optional(.limitPerBuyer, in: 1...Catalog.maximumLimit)
        referencePrice = try members.optional(.referencePrice)
        titles = try members.optional(.titles)
        metadata = try members.optional(.metadata)
        for (index, grant) in grants.enumerated() {
            if let (name, problem) = self.problem(of: grant) {
                throw decoder.fault(problem, at: .member("grants"), .element(index), .member(name))
            }
        }
        if case .compensation(let grants)? = retired { try check(grants, at: .retired, of: decoder) }
        if case .compensation(let grants) = whenOwned { try check(grants, at: .whenOwned, of: decoder) }
        if let (key, problem) = problem { throw members.fault(problem, at: key) }
        try checkTitles(of: decoder)
    }

    private func check(_ compensation: [Catalog.Grant], at key: Keys, of decoder: any Decoder) throws {
        guard type != .nonRenewing, let index = compensation.firstIndex(where: { $0.durationDays != nil })
        else { return }
        throw decoder.fault(
            Self.durationProblem,
            at: .member(key.rawValue),
            .member("compensation"),
            .element(index),
            .member("durationDays")
        )
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
        if whenOwned != .grant, type != .nonConsumable || grants.allSatisfy(\.isCounted) {
            return (.whenOwned, "is for a nonConsumable product that gives what can be owned; remove it")
        }
        return metadata.flatMap { Self.problem(ofMetadata: .object($0)) }.map { (.metadata, $0) }
    }

    private static func problem(ofMetadata metadata: JSONValue) -> String? {
        let bytes = metadata.canonicalText.utf8.count
        guard bytes <= Limits.metadataBytes else {
            return "has \(bytes) bytes, but may have \(Limits.metadataBytes); shorten it"
        }
        let levels = metadata.levels
        guard levels <= Limits.metadataLevels else {
            return
                "has \(levels) levels of arrays and objects, but may have \(Limits.metadataLevels); flatten it"
        }
        return nil
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

extension KeyedDecodingContainer {
    fileprivate func saleDate(_ key: Key) throws -> Timestamp? {
        let range = 0...Catalog.saleDates.upperBound
        guard let date: Int64 = try optional(key, in: range) else { return nil }
        guard Catalog.saleDates.contains(date) else {
            let advice = "write milliseconds, such as \(date)000"
            throw fault("is \(date), which are seconds since 1970; \(advice)", at: key)
        }
        return Timestamp(milliseconds: date)
    }
}
