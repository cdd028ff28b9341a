import AppStoreSigning
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `a check of Apple's own certificates for revocation` {
    @Test func `asks about Apple's own certificates where Apple says`() async throws {
        let responder = try ScriptedResponder(for: AppStoreSigner(ocsp: "http://ocsp.test/ca"))
        let certificates = try Vectors.chain(
            "real_apple_prod_ecc_signing_2025_2027",
            "real_apple_wwdr_g6",
            "real_apple_root_ca_g3"
        )
        let chain = try CertificateChain.check(certificates, anchors: TrustAnchors()).chain
        responder.reply(.failure(.unreachable))
        let now = Vectors.valid
        let statuses = await RevocationChecker(transport: responder).check([chain], now: now)
        let apple = "http://ocsp.apple.com/ocsp03-"
        #expect(responder.asked == [apple + "wwdrg602", apple + "applerootcag3"])
        #expect(statuses == [.unknown(.noResponse(.unreachable))])
    }
}
