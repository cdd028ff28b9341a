package import Contracts

extension Catalog {
    /// What a retired product grants; late payments for it still arrive.
    package enum Retirement: Hashable, Sendable {
        case replacement(ProductID)
        case compensation([Grant])
        /// The purchase is parked for the operator.
        case undecided
    }
}

extension Catalog.Retirement: Decodable {
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

    /// An object with at most one member.
    var json: JSONValue {
        switch self {
        case .replacement(let product): .object(["replacement": .string(product.rawValue)])
        case .compensation(let grants): .object(["compensation": .array(grants.map(\.json))])
        case .undecided: .object([:])
        }
    }
}
