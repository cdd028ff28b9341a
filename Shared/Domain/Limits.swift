/// Bounds that the edge and the services must agree on.
package enum Limits {
    /// Bytes of a studio's own order number.
    package static let referenceBytes = 1...128
    /// Bytes of an idempotency key.
    package static let idempotencyKeyBytes = 1...255
}
