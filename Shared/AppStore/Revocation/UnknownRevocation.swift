/// Why a chain's revocation status is unknown.
package enum UnknownRevocation: Hashable, Sendable {
    /// Not asked: a certificate is not valid now; what it signed counts at its own date.
    case notValidNow
    /// Leaf or intermediate names no responder, as a simulator's may.
    case noResponder
    /// Not asked: more chains than `RevocationChecker.chainsPerRound`.
    case beyondLimit
    case noResponse(TransportFailure)
    /// Not 200.
    case httpStatus(Int)
    /// A garbled, wrongly signed or outdated response, or an unknown certificate; swift-certificates' text.
    case unproven(String)
}
