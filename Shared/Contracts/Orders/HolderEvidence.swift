/// By which evidence a purchase has come to its first holder.
package enum HolderEvidence: String, Codable, Sendable, CaseIterable {
    /// The signed token named the holder's order.
    case token
    /// The signed token is registered for the holder.
    case registered
    /// The submission named the holder's order.
    case order
    /// The holder had other periods of the subscription.
    case holder
    /// The holder submitted it first.
    case caller
    /// An operator has given it to the holder.
    case reassigned
    /// Receipts knew the holder, and the store of Orders had lost the payment.
    case known
}

extension HolderEvidence {
    package init(_ candidate: ClaimCandidate) {
        switch candidate {
        case .token: self = .token
        case .registered: self = .registered
        case .order: self = .order
        case .holder: self = .holder
        case .caller: self = .caller
        }
    }
}
