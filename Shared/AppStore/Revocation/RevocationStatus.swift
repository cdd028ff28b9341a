/// Whether a chain can still be relied on.
package enum RevocationStatus: Hashable, Sendable {
    case good
    /// A responder with a good signature said so twice: an alarm.
    case revoked(CertificateName)
    /// Never a reason for alarm by itself.
    case unknown(UnknownRevocation)
}
