/// What StoreKit said when it did not sell, or restore.
public enum PurchaseOutcome: Error, Equatable, Sendable {
    /// Somebody else has to approve it first (Ask to Buy).
    case deferred
    /// The buyer has changed his mind.
    case cancelled
    /// StoreKit's error, or a code of the kit's page in the domain `CounterfoilClient`.
    case failed(domain: String, code: String)
}
