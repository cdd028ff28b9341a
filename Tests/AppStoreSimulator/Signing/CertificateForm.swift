import Foundation
import SwiftASN1
import X509

/// Apple's two marks, by which a certificate chain is known to sign StoreKit's data.
enum AppStoreMarks {
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    static let unknown: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 999]
    /// NULL, as in Apple's certificates.
    static let value: ArraySlice<UInt8> = [0x05, 0x00]
}

/// What goes into one certificate of a chain.
struct CertificateForm {
    /// Seconds since 1970 of 2020-01-01, so that old transactions can be signed too.
    static let startOf2020: TimeInterval = 1_577_836_800
    static let endOf2021: TimeInterval = 1_640_995_199
    /// Seconds since 1970 of 2050-01-01, less one: the last second that UTCTime can say.
    static let endOf2049: TimeInterval = 2_524_607_999

    let subject: String
    var key: Certificate.PublicKey
    var issuer = ""
    /// The key of the issuer that it names, whoever signs it; a root that signs itself names none.
    var issuerKey: Certificate.PublicKey?
    var isAuthority = true
    var maximumPathLength: Int?
    var mark: ASN1ObjectIdentifier?
    var usage: KeyUsage?
    var validUntil = endOf2049
    var hasUnknownCriticalExtension = false
    var hasNameConstraints = false
    var ocsp: String?
    /// How the issuer signs; Apple's elliptic authorities do it so.
    var algorithm = Certificate.SignatureAlgorithm.ecdsaWithSHA384

    init(subject: String, key: Certificate.PublicKey) {
        self.subject = subject
        self.key = key
    }

    /// Root, intermediate and leaf of Apple's shape, each named by the next one as its issuer.
    static func chain(
        _ root: (String, Certificate.PublicKey),
        _ intermediate: (String, Certificate.PublicKey),
        _ leaf: (String, Certificate.PublicKey)
    ) -> (root: CertificateForm, intermediate: CertificateForm, leaf: CertificateForm) {
        var root = CertificateForm(subject: root.0, key: root.1)
        root.issuer = root.subject
        var intermediate = CertificateForm(subject: intermediate.0, key: intermediate.1)
        intermediate.issuer = root.subject
        intermediate.issuerKey = root.key
        intermediate.maximumPathLength = 0
        intermediate.mark = AppStoreMarks.intermediate
        var leaf = CertificateForm(subject: leaf.0, key: leaf.1)
        leaf.issuer = intermediate.subject
        leaf.issuerKey = intermediate.key
        leaf.isAuthority = false
        leaf.mark = AppStoreMarks.leaf
        return (root, intermediate, leaf)
    }

    func signed(by issuerKey: Certificate.PrivateKey) throws -> Data {
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key,
            notValidBefore: Date(timeIntervalSince1970: Self.startOf2020),
            notValidAfter: Date(timeIntervalSince1970: validUntil),
            issuer: try Self.name(issuer),
            subject: try Self.name(subject),
            signatureAlgorithm: algorithm,
            extensions: try extensions(),
            issuerPrivateKey: issuerKey
        )
        return Data(try certificate.serializeAsPEM().derBytes)
    }

    private func extensions() throws -> Certificate.Extensions {
        let constraints: BasicConstraints =
            isAuthority ? .isCertificateAuthority(maxPathLength: maximumPathLength) : .notCertificateAuthority
        let usual =
            isAuthority ? KeyUsage(keyCertSign: true, cRLSign: true) : KeyUsage(digitalSignature: true)
        return try Certificate.Extensions {
            Critical(constraints)
            Critical(usage ?? usual)
            // Which key this is, and whose key signed it: strict verifiers refuse a chain that does not say so.
            SubjectKeyIdentifier(hash: key)
            if let issuerKey {
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey).keyIdentifier)
            }
            Self.notice(subject)
            if let mark { Certificate.Extension(oid: mark, critical: false, value: AppStoreMarks.value) }
            if let ocsp {
                let location = GeneralName.uniformResourceIdentifier(ocsp)
                AuthorityInformationAccess([.init(method: .ocspServer, location: location)])
            }
            if hasUnknownCriticalExtension {
                Certificate.Extension(oid: AppStoreMarks.unknown, critical: true, value: AppStoreMarks.value)
            }
            if hasNameConstraints { Critical(NameConstraints(permittedDNSDomains: ["example.com"])) }
        }
    }

    /// A comment that no verifier reads (2.16.840.1.113730.1.13); it says what this is, and gives the
    /// certificates the weight of Apple's, whose policy extension is as long.
    private static func notice(_ subject: String) -> Certificate.Extension {
        let text = """
            \(subject): made by a simulator for the tests of Counterfoil. Reliance on this certificate by \
            any party assumes that the party wanted no money. It proves nothing about any purchase, was not \
            issued by Apple, and is to be trusted in a test home only.
            """
        return .init(
            oid: [2, 16, 840, 1, 113730, 1, 13],
            critical: false,
            value: BER.ia5String(text)[...]
        )
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Counterfoil tests, not Apple")
        }
    }
}
