import Contracts

extension Catalog {
    /// What a product costs about, for reports; Apple alone says what was paid.
    package struct ReferencePrice: Decodable, Hashable, Sendable {
        /// In milliunits of the currency.
        package var amount: Int64
        /// ISO 4217.
        package var currency: String

        private enum CodingKeys: String, CodingKey, CaseIterable { case amount, currency }

        package init(amount: Int64, currency: String) {
            self.amount = amount
            self.currency = currency
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            guard let amount = try members.optional(.amount, in: 0...Catalog.maximumAmount) else {
                let problem = "is missing; write the price in milliunits, such as 990 for 0.99"
                throw members.fault(problem, at: .amount)
            }
            self.amount = amount
            currency = try members.decode(String.self, forKey: .currency)
            guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                let problem = "\"\(currency)\" is no currency; write three capital letters, such as USD"
                throw members.fault(problem, at: .currency)
            }
        }

        var json: JSONValue { .object(["amount": .integer(amount), "currency": .string(currency)]) }
    }
}
