import Crypto
import FoundationEssentials
import SwiftASN1
import X509

struct ChainCertificate {
    enum Role: String { case leaf, intermediate, root }

    let der: [UInt8]
    private let certificate: Certificate
    private let role: Role
    private let basicConstraints: BasicConstraints?
    private let keyUsage: KeyUsage?

    /// Not DER is malformed; unknown DER may be a new kind of certificate from Apple, so it is only
    /// untrusted.
    init(der: [UInt8], role: Role) throws(VerificationFailure) {
        let node: ASN1Node
        do {
            node = try DER.parse(der)
        } catch {
            throw VerificationFailure(.malformed, "the \(role.rawValue) certificate is not DER")
        }
        do {
            certificate = try Certificate(derEncoded: node)
            basicConstraints = try certificate.extensions.basicConstraints
            keyUsage = try certificate.extensions.keyUsage
        } catch {
            throw VerificationFailure(.untrusted, "the \(role.rawValue) certificate cannot be read")
        }
        self.der = der
        self.role = role
        guard Self.namesOneAlgorithm(node) else { throw refused("names two signature algorithms") }
    }

    var isSelfIssued: Bool { certificate.issuer == certificate.subject }
    func names(asIssuer issuer: ChainCertificate) -> Bool { certificate.issuer == issuer.certificate.subject }

    func issued(_ subject: ChainCertificate) -> Bool {
        subject.names(asIssuer: self)
            && certificate.publicKey.isValidSignature(subject.certificate.signature, for: subject.certificate)
    }

    var publicKey: Certificate.PublicKey { certificate.publicKey }
    var isSignedWithSHA1: Bool { certificate.signatureAlgorithm == .sha1WithRSAEncryption }

    var validFrom: Int64 { Self.milliseconds(certificate.notValidBefore) }
    var validUntil: Int64 { Self.milliseconds(certificate.notValidAfter) }

    func checkExtensions() throws(VerificationFailure) {
        for `extension` in certificate.extensions
        where `extension`.critical && !CertificateChain.understood.contains(`extension`.oid) {
            throw refused("has a critical extension that is not understood")
        }
        guard certificate.extensions[oid: .X509ExtensionID.nameConstraints] == nil else {
            throw refused("has name constraints")
        }
        guard role != .leaf || keyUsage?.digitalSignature ?? true else { throw refused("may not sign data") }
    }

    func checkAuthority(
        over subject: ChainCertificate,
        intermediatesBelow: Int,
        allowsSHA1: Bool
    ) throws(VerificationFailure) {
        guard case .isCertificateAuthority(let maximum) = basicConstraints else {
            throw refused("is no certificate authority")
        }
        guard intermediatesBelow <= maximum ?? .max else { throw refused("allows no intermediate") }
        guard keyUsage?.keyCertSign ?? true else { throw refused("may not sign certificates") }
        guard subject.names(asIssuer: self) else {
            throw subject.refused("names another issuer")
        }
        guard
            Self.algorithms.contains(subject.certificate.signatureAlgorithm)
                || allowsSHA1 && subject.isSignedWithSHA1
        else {
            throw subject.refused("is signed with a weak or unknown algorithm")
        }
        guard certificate.publicKey.isValidSignature(subject.certificate.signature, for: subject.certificate)
        else {
            throw subject.refused("was not signed by its issuer")
        }
    }

    func checkMark(_ mark: ASN1ObjectIdentifier) throws(VerificationFailure) {
        guard certificate.extensions[oid: mark] != nil else { throw refused("lacks Apple's mark") }
    }

    func signingKey() throws(VerificationFailure) -> P256.Signing.PublicKey {
        guard let key = P256.Signing.PublicKey(certificate.publicKey) else {
            throw refused("has no P-256 key")
        }
        return key
    }

    private func refused(_ why: String) -> VerificationFailure {
        VerificationFailure(.untrusted, "the \(role.rawValue) certificate \(why)")
    }

    private static let algorithms: Set<Certificate.SignatureAlgorithm> = [
        .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512,
        .sha256WithRSAEncryption, .sha384WithRSAEncryption, .sha512WithRSAEncryption,
    ]

    /// Whether `Certificate.signatureAlgorithm` repeats `TBSCertificate.signature`, after the optional
    /// version with tag [0] and the serial number (RFC 5280 §4.1).
    private static func namesOneAlgorithm(_ node: ASN1Node) -> Bool {
        guard case .constructed(let parts) = node.content else { return false }
        let outer = Array(parts)
        guard outer.count == 3, case .constructed(let fields) = outer[0].content else { return false }
        let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        let inner = Array(fields.prefix(3)).drop { $0.identifier == version }.dropFirst()
        return inner.first?.encodedBytes == outer[1].encodedBytes
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }
}
