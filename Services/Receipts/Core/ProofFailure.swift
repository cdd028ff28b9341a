package import Contracts

/// Why no transaction could be read from a proof.
package enum ProofFailure: String, Error, Codable, CaseIterable, Sendable {
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
    /// Only Apple could say whether it is genuine, and no way to ask is configured.
    case unverified
    /// Only Apple can say whether it is genuine, and is being asked.
    case askingApple
    /// Apple, asked again and again, knows no such transaction of the app.
    case unknownToApple
    /// Apple knows the transaction, and the proof tells of it otherwise: whoever wrote it did not make the purchase.
    case contradicted
    /// Apple says, asked again and again, that it is no receipt of its own.
    case refusedByApple
    /// Apple says that the account does not exist: nothing was bought.
    case neverPurchased
    /// Apple says neither yes nor no, and not to ask again.
    case undecidedByApple

    /// `pending` where the app or Apple has the next word, `invalid` where it is no payment as it stands;
    /// `parked` where an operator, or a newer program, may come to see it otherwise.
    package var verdict: Verdict {
        switch self {
        case .malformed, .unsigned, .badSignature, .refusedByApple, .neverPurchased: .invalid
        case .tooLarge, .untrusted, .expiredCertificate, .unreadable, .wrongDevice, .unverified,
            .unknownToApple,
            .contradicted, .undecidedByApple:
            .parked
        case .emptyReceipt, .askingApple: .pending
        }
    }

    /// Whether an operator may have it judged again: what Apple could not tell is asked again, what is no payment is not.
    package var isRetriable: Bool { verdict == .parked }

    /// Whether it is Apple's answer to a query.
    package var isOfApple: Bool {
        switch self {
        case .unknownToApple, .contradicted, .refusedByApple, .neverPurchased, .undecidedByApple: true
        case .tooLarge, .malformed, .unsigned, .badSignature, .untrusted, .expiredCertificate, .unreadable,
            .wrongDevice, .emptyReceipt, .unverified, .askingApple:
            false
        }
    }

    /// Whether Apple could judge a receipt that fails so.
    package var isForApple: Bool {
        switch self {
        case .unverified, .untrusted, .expiredCertificate, .unreadable, .unknownToApple, .contradicted,
            .undecidedByApple:
            true
        case .tooLarge, .malformed, .unsigned, .badSignature, .wrongDevice, .emptyReceipt, .askingApple,
            .refusedByApple, .neverPurchased:
            false
        }
    }
}
