/// Why the ledger waits for an operator; the raw value is the reason in its verdict.
enum ParkReason: String, Sendable, CaseIterable {
    case unknownProduct
    /// The product is retired, without replacement or compensation.
    case retiredProduct
    /// Apple signed another type than the catalog's.
    case typeMismatch
    /// Less than one, or more than a ledger can count.
    case unsupportedQuantity
    /// The buyer has the goods already, and the product's rule is to park then.
    case alreadyOwned
}
