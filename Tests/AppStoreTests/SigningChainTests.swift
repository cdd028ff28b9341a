import AppStoreSigning
import SwiftASN1
import Testing
import X509

/// What strict verifiers of X.509 want, Apple's own libraries among them (OpenSSL's `X509_V_FLAG_X509_STRICT`).
@Suite struct `the simulated certificates` {
    private static func chains() throws -> [[Certificate]] {
        let signed = try AppStoreSigner().certificates
        let receipts = try AppReceiptSigner().certificates
        return try [signed, receipts].map { chain in try chain.map { try Certificate(derEncoded: $0) } }
    }

    @Test func `say which key they are of and which key signed them, as strict verifiers want`() throws {
        for chain in try Self.chains() {
            #expect(chain.count == 3)
            let keys = try chain.map { try #require(try $0.extensions.subjectKeyIdentifier).keyIdentifier }
            #expect(Set(keys).count == 3)
            for (issued, issuer) in zip(chain, keys.dropFirst()) {
                let named = try #require(try issued.extensions.authorityKeyIdentifier).keyIdentifier
                #expect(named == issuer)
            }
            for certificate in chain {
                let usage = try #require(try certificate.extensions.keyUsage)
                let constraints = try #require(try certificate.extensions.basicConstraints)
                if case .isCertificateAuthority = constraints { #expect(usage.keyCertSign) }
                #expect(certificate.extensions[oid: .X509ExtensionID.basicConstraints]?.critical == true)
                #expect(certificate.extensions[oid: .X509ExtensionID.subjectKeyIdentifier]?.critical == false)
            }
        }
    }
}
