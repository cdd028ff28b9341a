import Contracts

extension Catalog {
    /// How the balance of one entitlement is kept.
    package struct EntitlementRules: Decodable, Hashable, Sendable {
        /// What taking back goods that are spent already does to a balance.
        package enum BalanceRule: String, Sendable, CaseIterable {
            /// It falls below zero; the buyer owes the rest.
            case negative
            /// It stops at zero; the rest is lost.
            case floor
        }

        package var balance = BalanceRule.negative

        private enum CodingKeys: String, CodingKey, CaseIterable { case balance }

        package init(balance: BalanceRule = .negative) { self.balance = balance }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            balance = try members.optional(.balance) ?? balance
        }

        var json: JSONValue { .object(["balance": .string(balance.rawValue)]) }
    }
}

extension Catalog.EntitlementRules.BalanceRule: Decodable {
    package init(from decoder: any Decoder) throws {
        let advice = "is no rule for a balance; write \"negative\" or \"floor\""
        self = try decoder.value(ofText: Self.init(rawValue:), or: advice)
    }
}
