/// Bounds that the gateway and the services share.
package enum Limits {
    package static let referenceBytes = 1...128
    package static let idempotencyKeyBytes = 1...255
    /// A JWS but a notification; Apple's transactions have 5,000 to 5,400 bytes, with 250 items of Advanced Commerce
    /// over 100,000.
    package static let jwsBytes = 128 << 10
    /// A notification, a JWS that carries two more in base64.
    package static let notificationBytes = 512 << 10
    /// An app receipt, decoded: 8 MiB of base64.
    package static let appReceiptBytes = 6 << 20
    /// Any proof as JSON text: 8 MiB of base64, with line breaks.
    package static let proofTextBytes = 9 << 20
    /// A message with a request: a proof, and what travels around it.
    package static let requestBytes = 12 << 20
    /// Most bytes of metadata, as JSON without spaces.
    package static let metadataBytes = 2 << 10
    /// Most levels of arrays and objects in metadata, the outermost one included.
    package static let metadataLevels = 8
}
