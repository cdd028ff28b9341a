import Contracts

/// Why a notification cannot be taken.
enum ServerNotificationFailure: Error, Equatable, Sendable {
    /// It is not Apple's and is not stored.
    case notGenuine(ProofFailure)
    /// Undecidable now: its certificates are untrusted or were invalid, or it is too long.
    case notTrusted(ProofFailure)
    /// Apple's, about an unknown app: anybody can have Apple call any address, so it is not stored; Apple repeats it.
    case unknownApp
    /// Apple's, but unreadable here; it is stored.
    case unreadable(String)

    /// A failure inside a notification leaves the notification genuine.
    init(_ proof: ProofFailure, isInside: Bool) {
        self =
            if isInside || proof == .unreadable {
                .unreadable(proof.rawValue)
            } else if proof.verdict == .invalid {
                .notGenuine(proof)
            } else {
                .notTrusted(proof)
            }
    }

    /// The reason for its dead letter.
    var reason: String {
        switch self {
        case .notGenuine(let failure), .notTrusted(let failure): failure.rawValue
        case .unknownApp: AppPolicy.Obstacle.unknownApp.rawValue
        case .unreadable(let reason): reason
        }
    }
}
