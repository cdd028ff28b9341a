package import Contracts

/// Why no transaction could be read from a proof.
package enum ProofFailure: String, Error, CaseIterable, Sendable {
    /// More bytes than Apple's proofs have.
    case tooLarge
    /// Nothing of Apple's shape.
    case malformed
    /// Made by Xcode, whose signature proves nothing to a server.
    case unsigned
    /// The signature does not hold.
    case badSignature
    /// The certificates do not lead to a root that is trusted here.
    case untrusted
    /// The certificates were not valid when it was signed.
    case expiredCertificate
    /// Apple's signature holds, but this program cannot read what was signed.
    case unreadable
    /// Apple's signature holds, but the receipt was made for another device than the one named.
    case wrongDevice
    /// Apple's signature holds, and nothing was bought; a receipt that the app refreshes may hold more.
    case emptyReceipt
    /// It bears no signature; only Apple could say whether it is genuine, and there is no way to ask.
    case unverified

    /// `pending` where the app can do something about it, `invalid` where the proof is proven not to be a payment; `parked` where an operator, or a newer program, may come
    /// to see it otherwise.
    package var verdict: Verdict {
        switch self {
        case .tooLarge, .malformed, .unsigned, .badSignature: .invalid
        case .untrusted, .expiredCertificate, .unreadable, .wrongDevice, .unverified: .parked
        case .emptyReceipt: .pending
        }
    }
}
