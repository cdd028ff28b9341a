/// Why a holder keeps a purchase that has turned out to be another buyer's.
package enum KeptReason: String, Codable, Sendable, CaseIterable {
    /// It gave amounts: then it moves whole, by an operator, or not at all.
    case amounts
    /// It gave amounts and was refunded in full: there is nothing left to move.
    case refunded
}
