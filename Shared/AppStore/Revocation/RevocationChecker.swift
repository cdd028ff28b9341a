package import Contracts
import X509

/// Asks the certificates' issuers by OCSP (RFC 6960) whether a chain was revoked, for a worker in the background.
///
/// Never on the way of a receipt: an answer takes 50 ms and may take ten seconds, and Apple's responders must not
/// be able to stop purchases. A revoked certificate is an alarm for people; it refuses nothing by itself.
///
/// It keeps nothing: whoever is interrupted asks again.
package struct RevocationChecker: Sendable {
    /// Chains that are asked about in one round, one after another; Apple has a handful in use.
    package static let chainsPerRound = 16

    private let transport: any OCSPTransport

    package init(transport: any OCSPTransport = OCSPOverHTTP()) { self.transport = transport }

    /// What is known now about each of these chains, once for each, in their order.
    ///
    /// Takes twenty seconds at most for a chain.
    @concurrent package func check(_ chains: [CheckedChain], now: Timestamp) async -> [RevocationFinding] {
        var seen: Set<CheckedChain> = []
        var findings: [RevocationFinding] = []
        var rest = Self.chainsPerRound
        for chain in chains where seen.insert(chain).inserted {
            findings.append(await finding(on: chain, rest: &rest, now: now))
        }
        return findings
    }

    private func finding(on chain: CheckedChain, rest: inout Int, now: Timestamp) async -> RevocationFinding {
        let path: OCSPPath
        do {
            path = try OCSPPath(chain)
        } catch {
            return RevocationFinding(
                chain: chain,
                leaf: CertificateName(subject: "", serialNumber: ""),
                status: .unknown(.unproven("the certificates cannot be read as a chain to ask about"))
            )
        }
        let status = await status(of: path, valid: chain.isValid(at: now), rest: &rest, now: now)
        return RevocationFinding(chain: chain, leaf: path.leafName, status: status)
    }

    private func status(
        of path: OCSPPath,
        valid: Bool,
        rest: inout Int,
        now: Timestamp
    ) async -> RevocationStatus {
        guard valid else { return .unknown(.notValidNow) }
        guard rest > 0 else { return .unknown(.beyondLimit) }
        rest -= 1
        switch await path.ask(.hard, over: transport, now: now) {
        case .passed(let doubt?): return .unknown(doubt)
        case .passed(nil): return path.namesBothResponders ? .good : .unknown(.noResponder)
        case .failed(_, let reason): return await confirmed(path, reason, now)
        case .noPath: return .unknown(.unproven("no path to ask about"))
        }
    }

    /// Tells "revoked" from every other answer that is not good.
    ///
    /// In its hard mode swift-certificates fails for both, and tells them apart by text only. In its soft mode it
    /// fails for nothing but a proven "revoked" (`OCSPFailureMode.soft`; the root's own responder is ruled out by
    /// `OCSPPath`). So what failed hard is asked about once more, softly.
    private func confirmed(_ path: OCSPPath, _ reason: String, _ now: Timestamp) async -> RevocationStatus {
        guard case .failed(let certificate?, _) = await path.ask(.soft, over: transport, now: now) else {
            return .unknown(.unproven(reason))
        }
        return .revoked(certificate)
    }
}
