import Contracts
import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// A chain in the form in which swift-certificates asks about it.
///
/// The policy asks about leaf and intermediate in this order, about each that names a responder, and stops at the
/// first answer that it does not like. So the certificate that the last question was about is the one that failed.
struct OCSPPath {
    private let leaf: Certificate
    private let intermediate: Certificate
    private let anchor: Certificate
    /// Those of leaf and intermediate that name a responder.
    private let askable: [Certificate]

    /// How one run of the policy ended.
    enum Outcome {
        /// Every answer that came is good; the first doubt, if there is one, says what did not come.
        case passed(RevocationDoubt?)
        /// An answer came that is not good, about this certificate where that is known.
        case failed(CertificateName?, String)
        /// swift-certificates built no path, and asked nobody.
        case noPath
    }

    /// Reads a chain that was read before.
    ///
    /// - Throws: what `Certificate` throws, and `NotAskable`.
    init(_ chain: CheckedChain) throws {
        let certificates = try chain.certificates.map { try Certificate(derEncoded: $0) }
        guard certificates.count == CertificateChain.length else { throw NotAskable() }
        leaf = certificates[0]
        intermediate = certificates[1]
        anchor = certificates[2]
        askable = try [leaf, intermediate].filter { try Self.responders(of: $0).contains { $0.isAddress } }
        guard try Self.responders(of: anchor).isEmpty else { throw NotAskable() }
    }

    /// Not three certificates, or a root that names a responder: it is its own witness, so the policy takes none.
    struct NotAskable: Error {}

    var leafName: CertificateName { CertificateName(leaf) }
    var namesBothResponders: Bool { askable.count == 2 }

    /// Asks about leaf and intermediate; the policy takes ten seconds at most for both.
    ///
    /// The chain was checked already, so nothing but revocation is looked at here.
    func ask(
        _ mode: OCSPFailureMode,
        over transport: any OCSPTransport,
        now: Timestamp
    ) async -> Outcome {
        let conversation = OCSPConversation(over: transport)
        var verifier = Verifier(rootCertificates: CertificateStore([anchor])) {
            CheckedAlready()
            OCSPVerifierPolicy(
                failureMode: mode,
                requester: conversation,
                fixedExpiryValidationTime: Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000)
            )
        }
        let result = await verifier.validate(
            leaf: leaf,
            intermediates: CertificateStore([intermediate])
        )
        switch result {
        case .validCertificate:
            return .passed(Self.firstDoubt(conversation.asked))
        case .couldNotValidate(let failures):
            guard let reason = failures.first?.policyFailureReason else { return .noPath }
            let last = conversation.asked.count - 1
            let name = askable.indices.contains(last) ? CertificateName(askable[last]) : nil
            return .failed(name, Self.printable(reason.description))
        }
    }

    private static func responders(of certificate: Certificate) throws -> [GeneralName] {
        let access = try certificate.extensions.authorityInformationAccess ?? AuthorityInformationAccess()
        return access.filter { $0.method == .ocspServer }.map(\.location)
    }

    private static func firstDoubt(_ questions: [OCSPConversation.Question]) -> RevocationDoubt? {
        for case .doubtful(let doubt) in questions { return doubt }
        return nil
    }

    /// Characters of a reason that are kept; a responder may have written into it.
    private static let longestReason = 200

    private static func printable(_ reason: String) -> String {
        String(
            decoding: reason.utf8.prefix(longestReason).filter { (0x20..<0x7F).contains($0) },
            as: UTF8.self
        )
    }

    /// Critical extensions were held against `CertificateChain.understood` when the chain was checked.
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
    /// Whether it can be asked at, as the policy sees it.
    fileprivate var isAddress: Bool {
        if case .uniformResourceIdentifier = self { true } else { false }
    }
}

extension CertificateName {
    fileprivate init(_ certificate: Certificate) {
        let digits = Array("0123456789abcdef".utf8)
        let serial = certificate.serialNumber.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        subject = certificate.subject.description
        serialNumber = String(decoding: serial, as: UTF8.self)
    }
}
