package import Contracts

/// What a purchase in the sandbox yields; App Review buys there on the production server.
package enum SandboxPolicy: Hashable, Sendable {
    /// Nothing: it is parked.
    case refuse
    /// Balances and possessions of the sandbox, beside those of production.
    case separate
    /// As `separate`, for these buyers only; everybody else's is parked.
    case grantTo([BuyerID])

    /// Whether this buyer's purchases in the sandbox are granted.
    package func grants(to buyer: BuyerID) -> Bool {
        switch self {
        case .refuse: false
        case .separate: true
        case .grantTo(let buyers): buyers.contains(buyer)
        }
    }
}
