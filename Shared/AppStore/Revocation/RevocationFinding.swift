/// What the responders said about one chain.
package struct RevocationFinding: Hashable, Sendable {
    package let chain: CheckedChain
    /// The certificate that signs; it tells chains apart in a log.
    package let leaf: CertificateName
    package let status: RevocationStatus
}

/// Whether a chain can still be relied on.
package enum RevocationStatus: Hashable, Sendable {
    /// Leaf and intermediate are both vouched for.
    case good
    /// A responder whose signature is good said so, twice: an alarm.
    case revoked(CertificateName)
    /// Nobody knows; never a reason for alarm by itself.
    case unknown(RevocationDoubt)
}

/// Why it is not known whether a chain was revoked.
package enum RevocationDoubt: Hashable, Sendable, CustomStringConvertible {
    /// Not asked about: one of the certificates is not valid now, and what it signed counts at its own date.
    case notValidNow
    /// Leaf or intermediate names no responder, as Apple's all do and a simulator's need not.
    case noResponder
    /// Not asked about: there are more chains than `RevocationChecker.chainsPerRound`.
    case beyondLimit
    /// A responder cannot be reached.
    case noAnswer(TransportFailure)
    /// A responder answered with this HTTP status instead of 200.
    case httpStatus(Int)
    /// A responder's answer proves nothing: garbled, wrongly signed, out of date, or that it does not know; in
    /// the words of swift-certificates, for people.
    case unproven(String)

    package var description: String {
        switch self {
        case .notValidNow: "a certificate is not valid now"
        case .noResponder: "a certificate names no OCSP responder"
        case .beyondLimit: "too many chains for one round"
        case .noAnswer(let failure): "no answer: \(failure.rawValue)"
        case .httpStatus(let status): "HTTP status \(status)"
        case .unproven(let words): "unproven: \(words)"
        }
    }
}

/// A certificate as its issuer knows it.
package struct CertificateName: Hashable, Sendable {
    /// As swift-certificates writes it, such as `C=US,O=Apple Inc.,CN=…`.
    package let subject: String
    /// In lower-case hexadecimal, two digits a byte.
    package let serialNumber: String
}
