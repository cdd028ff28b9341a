import Contracts
import FoundationEssentials
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A chain as swift-certificates checks it for revocation.
///
/// The policy asks about leaf, then intermediate, if they name a responder, and stops at the first bad
/// response. So the last request names the certificate that failed.
struct OCSPPath {
    private let leaf: Certificate
    private let intermediate: Certificate
    private let anchor: Certificate
    private let askable: [Certificate]

    enum Outcome {
        /// Every response that came is good; the reason says why another did not come.
        case passed(UnknownRevocation?)
        case failed(CertificateName?, String)
        /// swift-certificates built no path, and asked no responder.
        case noPath
    }

    /// Parses an already checked chain.
    ///
    /// - Throws: what `Certificate` throws, and `NotAskable`.
    init(_ chain: VerifiedChain) throws {
        let certificates = try chain.certificates.map { try Certificate(derEncoded: $0) }
        guard certificates.count == CertificateChain.length else { throw NotAskable() }
        leaf = certificates[0]
        intermediate = certificates[1]
        anchor = certificates[2]
        askable = try [leaf, intermediate].filter { try Self.responders(of: $0).contains { $0.isAddress } }
        guard try Self.responders(of: anchor).isEmpty else { throw NotAskable() }
    }

    /// Not three certificates, or a root with a responder, which the policy refuses.
    struct NotAskable: Error {}

    var namesBothResponders: Bool { askable.count == 2 }

    /// Asks about leaf and intermediate, in ten seconds at most; the chain was already checked.
    func ask(
        _ mode: OCSPFailureMode,
        over transport: any AppleTransport,
        now: Timestamp
    ) async -> Outcome {
        let recorder = OCSPRecorder(over: transport)
        var verifier = Verifier(rootCertificates: CertificateStore([anchor])) {
            CheckedAlready()
            OCSPVerifierPolicy(
                failureMode: mode,
                requester: recorder,
                fixedExpiryValidationTime: Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000)
            )
        }
        let result = await verifier.validate(
            leaf: leaf,
            intermediates: CertificateStore([intermediate])
        )
        switch result {
        case .validCertificate:
            return .passed(recorder.outcomes.lazy.compactMap { $0 }.first)
        case .couldNotValidate(let failures):
            guard let reason = failures.first?.policyFailureReason else { return .noPath }
            let last = recorder.outcomes.count - 1
            let name = askable.indices.contains(last) ? CertificateName(askable[last]) : nil
            return .failed(name, Self.printable(reason.description))
        }
    }

    private static func responders(of certificate: Certificate) throws -> [GeneralName] {
        let access = try certificate.extensions.authorityInformationAccess ?? AuthorityInformationAccess()
        return access.filter { $0.method == .ocspServer }.map(\.location)
    }

    /// Bytes; a responder may have written part of the reason.
    private static let longestReason = 200

    private static func printable(_ reason: String) -> String {
        String(
            decoding: reason.utf8.prefix(longestReason).filter { (0x20..<0x7F).contains($0) },
            as: UTF8.self
        )
    }

    /// Critical extensions were already checked against `CertificateChain.understood`.
    private struct CheckedAlready: VerifierPolicy {
        let verifyingCriticalExtensions = Array(CertificateChain.understood)

        mutating func chainMeetsPolicyRequirements(
            chain: UnverifiedCertificateChain
        ) async -> PolicyEvaluationResult {
            .meetsPolicy
        }
    }
}

extension GeneralName {
    fileprivate var isAddress: Bool {
        if case .uniformResourceIdentifier = self { true } else { false }
    }
}

extension CertificateName {
    fileprivate init(_ certificate: Certificate) {
        subject = certificate.subject.description
        serialNumber = certificate.serialNumber.bytes.hexadecimal
    }
}
