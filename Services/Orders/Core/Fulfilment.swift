import Contracts

/// The ledger's outcome for a paid order: the second of an order's two state machines.
///
/// Tested by: `OrderMachineTests`.
///
/// | from \ outcome | granted   | reversed   | parked   |
/// |----------------|-----------|------------|----------|
/// | none           | `granted` | `reversed` | `parked` |
/// | granted        | again     | `reversed` | `parked` |
/// | reversed       | `granted` | again      | `parked` |
/// | parked         | `granted` | `reversed` | again    |
///
/// The holder's ledger decides and the order follows; its last outcome holds, because one link carries them in order.
/// *again*: the outcome was applied before; nothing changes.
enum Fulfilment: String, CaseIterable, Sendable {
    case none
    case granted
    /// The goods went back, or never came because the refund came first.
    case reversed
    /// The catalog does not say what to grant.
    case parked

    /// Applies the ledger's outcome.
    mutating func apply(_ outcome: GrantOutcome) -> Transition {
        switch (self, outcome) {
        case (.granted, .granted), (.reversed, .reversed), (.parked, .parked):
            return .repeated
        case (.none, .granted), (.reversed, .granted), (.parked, .granted):
            self = .granted
        case (.none, .reversed), (.granted, .reversed), (.parked, .reversed):
            self = .reversed
        case (.none, .parked), (.granted, .parked), (.reversed, .parked):
            self = .parked
        }
        return .applied
    }
}
