import NIOConcurrencyHelpers

/// A number that only grows.
struct Tally: Sendable {
    private let box = NIOLockedValueBox(0)

    /// How often it was added to.
    var count: Int { box.withLockedValue { $0 } }

    /// Adds one.
    func add() { box.withLockedValue { $0 += 1 } }
}
