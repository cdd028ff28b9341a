import Contracts

/// Why no transaction could be read from a proof.
enum ProofFailure: String, Error, Codable, CaseIterable, Sendable {
    case tooLarge
    /// Not in Apple's format.
    case malformed
    /// Made by Xcode, whose signature proves nothing to a server.
    case unsigned
    case badSignature
    /// The certificates lead to no trusted root.
    case untrusted
    case expiredCertificate
    /// Apple's signature is valid, but this program cannot read the content.
    case unreadable
    /// Apple's signature is valid, but for another device.
    case wrongDevice
    /// Apple's signature is valid, but nothing was bought; a refreshed receipt may hold more.
    case emptyReceipt
    /// Only Apple can verify it, and no service is configured.
    case unverified
    case askingApple
    /// Apple, asked repeatedly, knows no such transaction of the app.
    case unknownToApple
    /// Apple knows the transaction, and the proof differs: a forgery.
    case contradicted
    /// Apple, asked repeatedly, says that it is not its receipt.
    case refusedByApple
    /// Apple says that the account does not exist, so nothing was bought.
    case neverPurchased
    /// Apple gives no verdict, and says not to ask again.
    case undecidedByApple

    /// `pending` if the app or Apple must act, `invalid` for no payment, `parked` if a later judgement may differ.
    var verdict: Verdict {
        switch self {
        case .malformed, .unsigned, .badSignature, .refusedByApple, .neverPurchased: .invalid
        case .tooLarge, .untrusted, .expiredCertificate, .unreadable, .wrongDevice, .unverified,
            .unknownToApple, .contradicted, .undecidedByApple:
            .parked
        case .emptyReceipt, .askingApple: .pending
        }
    }

    var isRetriable: Bool { verdict == .parked }

    /// Whether it is Apple's answer to a query.
    var isOfApple: Bool {
        switch self {
        case .unknownToApple, .contradicted, .refusedByApple, .neverPurchased, .undecidedByApple: true
        case .tooLarge, .malformed, .unsigned, .badSignature, .untrusted, .expiredCertificate, .unreadable,
            .wrongDevice, .emptyReceipt, .unverified, .askingApple:
            false
        }
    }

    /// Whether Apple could judge a receipt that fails so.
    var isForApple: Bool {
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
