import AppStoreSigning
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `a check of Apple's own certificates for revocation` {
    @Test func `asks about Apple's own certificates where Apple says`() async throws {
        let responder = try ScriptedResponder(for: AppStoreSigner(ocsp: "http://ocsp.test/ca"))
        let chain = try CertificateChain.check(Vectors.chainOfApple(), anchors: TrustAnchors()).chain
        responder.reply(.failure(.unreachable))
        let now = Vectors.valid
        let statuses = await RevocationChecker(transport: responder).check([chain], now: now)
        let apple = "http://ocsp.apple.com/ocsp03-"
        #expect(responder.asked == [apple + "wwdrg602", apple + "applerootcag3"])
        #expect(statuses == [.unknown(.noResponse(.unreachable))])
    }
}
