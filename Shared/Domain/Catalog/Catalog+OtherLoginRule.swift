import Contracts

extension Catalog {
    /// What happens when another login restores a purchase that a buyer holds.
    package enum OtherLoginRule: String, Sendable, CaseIterable {
        /// The holder keeps it.
        case conflict
        /// It moves to the other login, seldom and only if the phone says that it restores.
        case transfer
    }
}

extension Catalog.OtherLoginRule: Decodable {
    package init(from decoder: any Decoder) throws {
        let advice = "is no rule; write \"conflict\" or \"transfer\""
        self = try decoder.value(ofText: Self.init(rawValue:), or: advice)
    }
}
