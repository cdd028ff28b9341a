/// One of the two accounts between which an entry of the ledger moves an amount.
///
/// The buyer's account is what the buyer holds; every other one stands for where it came from or went to.
package struct LedgerAccount: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// What Apple was paid for a product.
    package static func apple(_ product: ProductID) -> LedgerAccount { named("apple", product.rawValue) }

    /// What a buyer holds.
    package static func buyer(_ buyer: BuyerID) -> LedgerAccount { named("buyer", buyer.rawValue) }

    /// What was spent, for a reason where one was given.
    package static func spent(_ reason: String?) -> LedgerAccount { named("spent", reason) }

    /// What was earned and not bought, for a reason where one was given.
    package static func earned(_ reason: String?) -> LedgerAccount { named("earned", reason) }

    /// Where possessions are on their way from one buyer to another.
    package static let transit = LedgerAccount(rawValue: "transit")

    /// What makes up for amounts that a buyer has used of another buyer's purchase.
    package static let compensation = LedgerAccount(rawValue: "compensation")

    private static func named(_ kind: String, _ name: String?) -> LedgerAccount {
        LedgerAccount(rawValue: name.map { "\(kind):\($0)" } ?? kind)
    }

    /// The product of an account of Apple's.
    package var product: ProductID? {
        let prefix = "apple:"
        guard rawValue.hasPrefix(prefix) else { return nil }
        return ProductID(rawValue: String(rawValue.dropFirst(prefix.count)))
    }

    package var description: String { rawValue }
}

extension LedgerAccount: DirectlyCoded {
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        self.init(rawValue: try json.text(value?.rawValue))
    }

    /// Writes the account's name.
    @inline(__always) package func write(to json: inout JSONWriter) { json.write(rawValue) }
}
