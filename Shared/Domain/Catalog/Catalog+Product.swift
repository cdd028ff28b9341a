package import Contracts

extension Catalog {
    /// One product; entries are retired, never deleted.
    package struct Product: Equatable, Sendable {
        package var productId: ProductID
        package var type: ProductType
        package var grants: [Grant]
        /// Nil for every app.
        package var bundleId: BundleID?
        package var retired: Retirement?
        /// App Store Connect's group: of one group a buyer has one subscription at a time.
        package var subscriptionGroup: String?
        /// Level of service within the group, 1 being the highest, as in App Store Connect.
        package var rank: Int?
        /// New orders are refused before.
        package var onSaleFrom: Timestamp?
        /// New orders are refused from then on.
        package var onSaleUntil: Timestamp?
        package var onOtherLogin = OtherLoginRule.conflict
        package var whenOwned = OwnedRule.grant
        /// Most purchases of one buyer for which an order is issued.
        package var limitPerBuyer: Int?
        package var referencePrice: ReferencePrice?
        /// By language tag, such as `en` or `zh-Hans`.
        package var titles: [String: String]?
        /// The studio's own.
        package var metadata: [String: JSONValue]?

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

        /// Whether new orders may be issued at a moment: of a retired product never, else as the sale dates say.
        package func isOnSale(at moment: Timestamp) -> Bool {
            retired == nil && onSaleFrom.map { moment >= $0 } != false
                && onSaleUntil.map { moment < $0 } != false
        }

        /// What it grants and what compensates for it.
        var allGrants: [Grant] {
            var all = grants
            if case .compensation(let compensation)? = retired { all += compensation }
            if case .compensation(let compensation) = whenOwned { all += compensation }
            return all
        }

        /// How goods end; the raw value says what they are.
        enum Ending: String {
            case amount = "amounts"
            case days = "days"
            case period = "subscription periods"
            case never = "possessions for ever"
        }

        /// How what it grants ends.
        var endings: Set<Ending> {
            Set(
                grants.map { grant in
                    if grant.isCounted { return .amount }
                    if type == .autoRenewable { return .period }
                    return grant.durationDays == nil ? .never : .days
                }
            )
        }
    }
}

extension Catalog.Product {
    /// The catalog's JSON of this product; what is not said is absent.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "productId": .string(productId.rawValue),
            "type": .string(type.rawValue),
            "grants": .array(grants.map(\.json)),
        ]
        members["bundleId"] = bundleId.map { .string($0.rawValue) }
        members["retired"] = retired?.json
        members["subscriptionGroup"] = subscriptionGroup.map { .string($0) }
        members["rank"] = rank.map { .integer(Int64($0)) }
        members["onSaleFrom"] = onSaleFrom.map { .integer($0.milliseconds) }
        members["onSaleUntil"] = onSaleUntil.map { .integer($0.milliseconds) }
        members["onOtherLogin"] = onOtherLogin == .conflict ? nil : .string(onOtherLogin.rawValue)
        members["whenOwned"] = whenOwned == .grant ? nil : whenOwned.json
        members["limitPerBuyer"] = limitPerBuyer.map { .integer(Int64($0)) }
        members["referencePrice"] = referencePrice?.json
        members["titles"] = titles.map { .object($0.mapValues { .string($0) }) }
        members["metadata"] = metadata.map { .object($0) }
        return .object(members)
    }
}
