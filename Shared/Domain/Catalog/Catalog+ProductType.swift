import Contracts

extension Catalog {
    /// Apple's kinds of product.
    package enum ProductType: String, Sendable, CaseIterable {
        case consumable, nonConsumable, autoRenewable, nonRenewing

        /// Apple's name for it in what it signs.
        package var signedName: String {
            switch self {
            case .consumable: Domain.ProductType.consumable
            case .nonConsumable: Domain.ProductType.nonConsumable
            case .autoRenewable: Domain.ProductType.autoRenewable
            case .nonRenewing: Domain.ProductType.nonRenewing
            }
        }

        /// Whether Apple signed this type; the empty one of old receipts states nothing.
        package func agrees(with signed: String) -> Bool { signed.isEmpty || signed == signedName }
    }
}

extension Catalog.ProductType: Decodable {
    package init(from decoder: any Decoder) throws {
        let known = Self.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        self = try decoder.value(ofText: Self.init(rawValue:), or: "is no type; write one of \(known)")
    }
}
