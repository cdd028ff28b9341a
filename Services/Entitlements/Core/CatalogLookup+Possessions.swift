import Domain

extension Catalog.Lookup {
    /// The entitlements that it gives to have.
    var possessions: Set<String> {
        switch self {
        case .active(_, let grants, _), .retired(_, let grants?, _):
            Set(grants.filter { !$0.isCounted }.map(\.entitlement))
        case .retired(_, nil, _), .unknown: []
        }
    }

    /// Whether it matters what the buyer owns already.
    var asksWhatIsOwned: Bool {
        switch self {
        case .active(_, _, .grant), .retired(_, _, .grant), .unknown: false
        case .active(_, _, .park), .active(_, _, .compensation), .retired(_, _, .park),
            .retired(_, _, .compensation):
            true
        }
    }
}
