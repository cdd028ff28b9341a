/// Bounds that the gateway and the services share.
package enum Limits {
    package static let referenceBytes = 1...128
    package static let idempotencyKeyBytes = 1...255
}
