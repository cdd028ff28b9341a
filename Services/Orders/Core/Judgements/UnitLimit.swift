/// How many units of a product a buyer may pay for, and has paid for.
struct UnitLimit: Equatable, Sendable {
    let units: Int
    let paid: Int

    /// What is shared has no paid units, and exceeds nothing.
    func isExceeded(by quantity: Int) -> Bool { quantity > 0 && paid + quantity > units }
}
