package import Contracts
package import Database

/// Work that rows of the store make due, with nothing outside: each turn of it is part of one transaction.
///
/// If the owner dies before COMMIT, the rows are unchanged, and the next owner finds them due.
package protocol DurableTimer: Sendable {
    /// The keys of the turns that are due, in order, without those in hand; and when the next one is due.
    ///
    /// A key is unique in its service: an operator sees it when its turn is parked.
    ///
    /// - Throws: `StoreError`.
    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?)

    /// Takes a turn; one that is not due any more changes nothing.
    ///
    /// - Throws: `StoreError` or `SendFault`.
    func run(_ key: String, in context: HandlerContext) throws

    /// Whether a turn that fails again and again waits for an operator; otherwise it is tried again later.
    var parksFailure: Bool { get }
}

extension DurableTimer {
    /// Most turns are tried again.
    package var parksFailure: Bool { false }
}
