// Full Foundation, which has NFC in public, is 40 MB more in every program.
@_spi(_Unicode) import Swift
import Contracts
import FoundationEssentials

extension Catalog {
    /// Most units one product may grant, so that quantities cannot overflow a balance.
    package static let maximumAmount: Int64 = 1_000_000_000_000

    /// Most days that one unit may last: a hundred years.
    package static let maximumDays = 36_500

    /// Most entitlements of one product.
    package static let maximumGrants = 16

    /// What one unit of a product grants.
    package struct Grant: Decodable, Hashable, Sendable {
        package var entitlement: String
        /// Nil when the entitlement is possessed, not counted.
        package var amount: Int64?
        /// Days that a possession lasts; nil when something else ends it, or nothing.
        package var durationDays: Int?

        private enum CodingKeys: String, CodingKey, CaseIterable { case entitlement, amount, durationDays }

        package init(entitlement: String, amount: Int64? = nil, durationDays: Int? = nil) {
            self.entitlement = entitlement
            self.amount = amount
            self.durationDays = durationDays
        }

        /// Whether the entitlement is an amount, not a possession.
        package var isCounted: Bool { amount != nil }

        /// What is wrong with the name of an entitlement; nil if nothing is.
        ///
        /// Stores compare bytes, Swift compares what Unicode takes for equal. Of the names that may be here, both find
        /// the same ones equal.
        static func problem(ofName name: String) -> String? {
            guard BuyerID.isValid(name) else {
                return "must have 1 to 128 bytes and no control characters; rename it"
            }
            let composed = String(String.UnicodeScalarView(name._nfc))
            return composed.utf8.elementsEqual(name.utf8)
                ? nil
                : "has other bytes than its composed form (NFC), though both look alike; write \"\(composed)\""
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.strictContainer(keyedBy: CodingKeys.self)
            entitlement = try members.decode(String.self, forKey: .entitlement)
            if let problem = Self.problem(ofName: entitlement) {
                throw members.fault(problem, at: .entitlement)
            }
            amount = try members.optional(.amount, in: 1...Catalog.maximumAmount)
            durationDays = try members.optional(.durationDays, in: 1...Catalog.maximumDays)
            if amount != nil, durationDays != nil {
                let problem = "stands beside an amount, which does not expire; remove one"
                throw members.fault(problem, at: .durationDays)
            }
        }

        var json: JSONValue {
            var members: [String: JSONValue] = ["entitlement": .string(entitlement)]
            members["amount"] = amount.map { .integer($0) }
            members["durationDays"] = durationDays.map { .integer(Int64($0)) }
            return .object(members)
        }
    }
}

extension KeyedDecodingContainer {
    /// The grants of a product or of a compensation.
    func grants(_ key: Key) throws -> [Catalog.Grant] {
        let grants = try decode([Catalog.Grant].self, forKey: key)
        guard !grants.isEmpty else {
            throw fault("names nothing that is granted; add an entitlement", at: key)
        }
        guard grants.count <= Catalog.maximumGrants else {
            throw fault("names more than \(Catalog.maximumGrants) entitlements; split the product", at: key)
        }
        guard Set(grants.map(\.entitlement)).count == grants.count else {
            throw fault("names one entitlement twice; add the amounts up", at: key)
        }
        return grants
    }
}
