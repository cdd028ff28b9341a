import AppStoreSigning
import Contracts
import Crypto
import Testing

@testable import AppStore

@Suite struct `a certificate chain` {
    private func check(_ chain: [[UInt8]], root: [UInt8]) throws -> VerifiedLeaf<P256.Signing.PublicKey> {
        try CertificateChain.check(chain, anchors: TrustAnchors(extraRoots: [root]))
    }

    @Test func `of Apple's shape is valid in its time and not after, and holds its leaf's key`() throws {
        let signer = try AppStoreSigner()
        let chain = signer.certificates
        let leaf = try check(chain, root: chain[2])
        #expect(leaf.chain.isValid(at: .newYear2026))
        #expect(leaf.chain.isValid(at: Timestamp(milliseconds: 2_524_607_999_000)))
        #expect(!leaf.chain.isValid(at: Timestamp(milliseconds: 2_524_608_000_000)))
        let message = Array("signed by the leaf's key".utf8)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: signer.signature(of: message))
        #expect(leaf.key.isValidSignature(signature, for: message))
    }

    @Test(arguments: [
        [ChainFlaw.unmarkedLeaf], [.unmarkedIntermediate], [.unmarkedLeaf, .unmarkedIntermediate],
    ])
    func `without one or both of Apple's marks is untrusted`(flaws: [ChainFlaw]) throws {
        let chain = try AppStoreSigner(flaws: flaws).certificates
        #expect(reason { try check(chain, root: chain[2]) } == .untrusted)
    }

    @Test func `that ends in another root is untrusted`() throws {
        let own = try AppStoreSigner().certificates
        let other = try AppStoreSigner().rootDER
        #expect(reason { try check(Array(own.prefix(2)) + [other], root: other) } == .untrusted)
        #expect(reason { try CertificateChain.check(own, anchors: TrustAnchors()) } == .untrusted)
    }

    @Test func `of another length is malformed`() throws {
        let chain = try AppStoreSigner().certificates
        for wrong in [[], Array(chain.prefix(1)), Array(chain.prefix(2)), chain + [chain[2]]] {
            #expect(reason { try check(wrong, root: chain[2]) } == .malformed)
        }
    }

    @Test func `with a changed byte is refused, or holds the same key`() throws {
        let chain = try AppStoreSigner().certificates
        let anchors = TrustAnchors(extraRoots: [chain[2]])
        let key = try check(chain, root: chain[2]).key.rawRepresentation
        var accepted = 0
        for (place, der) in chain.enumerated() {
            for offset in der.indices {
                var changed = chain
                changed[place][offset] ^= 0x01
                do throws(VerificationFailure) {
                    let leaf = try CertificateChain.check(changed, anchors: anchors)
                    #expect(leaf.key.rawRepresentation == key)
                    // The root is compared by its key: the rest of its certificate proves nothing.
                    accepted += place == 2 ? 0 : 1
                } catch {
                    #expect(error.reason == .untrusted || error.reason == .malformed)
                }
            }
        }
        // DER leaves one bit of a signature's frame open: the count of its unused bits.
        #expect(accepted <= 2)
    }
}
