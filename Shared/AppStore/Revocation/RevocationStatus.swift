/// What the responders said about one chain.
package struct RevocationResult: Hashable, Sendable {
    package let chain: VerifiedChain
    /// The certificate that signs; it tells chains apart in a log.
    package let leaf: CertificateName
    package let status: RevocationStatus
}

/// Whether a chain can still be relied on.
package enum RevocationStatus: Hashable, Sendable {
    /// Leaf and intermediate are both good.
    case good
    /// A responder whose signature is good said so, twice: an alarm.
    case revoked(CertificateName)
    /// Never a reason for alarm by itself.
    case unknown(UnknownRevocation)
}

/// Why it is not known whether a chain was revoked.
package enum UnknownRevocation: Hashable, Sendable {
    /// Not asked about: one of the certificates is not valid now, and what it signed counts at its own date.
    case notValidNow
    /// Leaf or intermediate names no responder, as Apple's all do and a simulator's need not.
    case noResponder
    /// Not asked about: there are more chains than `RevocationChecker.chainsPerRound`.
    case beyondLimit
    /// A responder cannot be reached.
    case noResponse(TransportFailure)
    /// A responder answered with this HTTP status instead of 200.
    case httpStatus(Int)
    /// A response proves nothing: garbled, wrongly signed, out of date, or it does not know the certificate; in the
    /// words of swift-certificates, for people.
    case unproven(String)
}

/// A certificate as its issuer knows it.
package struct CertificateName: Hashable, Sendable {
    /// As swift-certificates writes it, such as `C=US,O=Apple Inc.,CN=…`.
    package let subject: String
    /// In lower-case hexadecimal, two digits a byte.
    package let serialNumber: String
}
