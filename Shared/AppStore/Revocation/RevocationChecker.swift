package import Contracts
import X509

/// Asks the issuers by OCSP (RFC 6960) whether a chain was revoked; for a background worker.
///
/// No receipt waits for it: a response takes 50 ms to ten seconds, and Apple's responders must not be able to
/// stop purchases. A revoked certificate raises an alarm and refuses nothing by itself.
package struct RevocationChecker: Sendable {
    /// Apple has a handful of chains in use.
    static let chainsPerRound = 16

    private let transport: any AppleTransport

    package init(transport: any AppleTransport = HTTPTransport()) { self.transport = transport }

    /// The current status of each chain, in order and each once; at most twenty seconds for each.
    @concurrent package func check(_ chains: [VerifiedChain], now: Timestamp) async -> [RevocationStatus] {
        var seen: Set<VerifiedChain> = []
        var statuses: [RevocationStatus] = []
        var asked = 0
        for chain in chains where seen.insert(chain).inserted {
            if !chain.isValid(at: now) {
                statuses.append(.unknown(.notValidNow))
            } else if asked == Self.chainsPerRound {
                statuses.append(.unknown(.beyondLimit))
            } else {
                asked += 1
                statuses.append(await status(of: chain, now: now))
            }
        }
        return statuses
    }

    private func status(of chain: VerifiedChain, now: Timestamp) async -> RevocationStatus {
        let path: OCSPPath
        do {
            path = try OCSPPath(chain)
        } catch {
            return .unknown(.unproven("the certificates cannot be read as a chain to ask about"))
        }
        switch await path.ask(.hard, over: transport, now: now) {
        case .passed(let reason?): return .unknown(reason)
        case .passed(nil): return path.namesBothResponders ? .good : .unknown(.noResponder)
        case .failed(_, let reason): return await confirmed(path, reason, now)
        case .noPath: return .unknown(.unproven("no path to ask about"))
        }
    }

    /// Confirms "revoked".
    ///
    /// In hard mode swift-certificates also fails for every other bad response, and only the text differs. In
    /// soft mode it fails only for a proven "revoked" (`OCSPFailureMode.soft`; `OCSPPath` rules out a root's
    /// own responder). So a hard failure is checked again in soft mode.
    private func confirmed(_ path: OCSPPath, _ reason: String, _ now: Timestamp) async -> RevocationStatus {
        guard case .failed(let certificate?, _) = await path.ask(.soft, over: transport, now: now) else {
            return .unknown(.unproven(reason))
        }
        return .revoked(certificate)
    }
}
