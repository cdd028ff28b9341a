package import Contracts

/// What a sandbox purchase yields; App Review buys in the sandbox on the production server.
package enum SandboxPolicy: Hashable, Sendable {
    /// Parked.
    case refuse
    /// Granted apart from production.
    case separate
    /// Granted to these buyers apart from production; parked for everyone else.
    case grantTo([BuyerID])

    /// Whether this buyer's sandbox purchases are granted.
    package func grants(to buyer: BuyerID) -> Bool {
        switch self {
        case .refuse: false
        case .separate: true
        case .grantTo(let buyers): buyers.contains(buyer)
        }
    }
}
