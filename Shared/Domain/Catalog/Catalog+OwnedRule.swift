import Contracts

extension Catalog {
    /// What a purchase grants when its buyer owns its goods already: all the possessions that the product grants, for
    /// ever and by other purchases.
    package enum OwnedRule: Hashable, Sendable {
        /// The same once more; it is owned until the last purchase of it is refunded.
        case grant
        /// These in place of all that the product grants.
        case compensation([Grant])
        /// The purchase waits for the operator.
        case park
    }
}

extension Catalog.OwnedRule: Decodable {
    private enum Keys: String, CodingKey, CaseIterable { case compensation }

    package init(from decoder: any Decoder) throws {
        guard case .object = try JSONValue(from: decoder) else {
            let advice = "is no rule; write \"grant\", \"park\" or {\"compensation\": [grants]}"
            self = try decoder.value(ofText: { ["grant": .grant, "park": .park][$0] }, or: advice)
            return
        }
        self = .compensation(try decoder.strictContainer(keyedBy: Keys.self).grants(.compensation))
    }

    /// A word, or an object with the compensation.
    var json: JSONValue {
        switch self {
        case .grant: .string("grant")
        case .park: .string("park")
        case .compensation(let grants): .object(["compensation": .array(grants.map(\.json))])
        }
    }
}
