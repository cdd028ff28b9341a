import AppStoreSigning
import Contracts
import Crypto
import Testing

@testable import AppStore

@Suite struct `a certificate chain` {
    @Test func `of Apple's shape is valid in its time and not after, and holds its leaf's key`() throws {
        let signer = try AppStoreSigner()
        let leaf = try leaf(of: signer.certificates)
        #expect(leaf.chain.isValid(at: .newYear2026))
        #expect(leaf.chain.isValid(at: Timestamp(milliseconds: 2_524_607_999_000)))
        #expect(!leaf.chain.isValid(at: Timestamp(milliseconds: 2_524_608_000_000)))
        let message = Array("signed by the leaf's key".utf8)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: signer.signature(of: message))
        #expect(leaf.key.isValidSignature(signature, for: message))
    }

    @Test func `that ends in another root is untrusted`() throws {
        let own = try AppStoreSigner().certificates
        let other = try AppStoreSigner().rootDER
        #expect(reason { try leaf(of: own.prefix(2) + [other]) } == .untrusted)
        #expect(reason { try CertificateChain.check(own, anchors: TrustAnchors()) } == .untrusted)
    }

    @Test func `of another length is malformed`() throws {
        try expectOtherLengthsAreMalformed(AppStoreSigner().certificates)
    }

    @Test func `with a changed byte is refused, or holds the same key`() throws {
        try expectChangedBytesAreRefused(AppStoreSigner().certificates)
    }
}

/// The leaf of a chain whose last certificate is trusted, unless another one is.
func leaf(
    of chain: [[UInt8]],
    trusting root: [UInt8]? = nil
) throws -> VerifiedLeaf<P256.Signing.PublicKey> {
    try CertificateChain.check(chain, anchors: TrustAnchors(extraRoots: [root ?? chain[2]]))
}

func expectOtherLengthsAreMalformed(_ chain: [[UInt8]]) {
    for wrong in [[], Array(chain.prefix(1)), Array(chain.prefix(2)), chain + [chain[2]]] {
        #expect(reason { try leaf(of: wrong, trusting: chain[2]) } == .malformed)
    }
}

/// Changes each byte of each certificate: the chain is refused then, or its key is the same.
func expectChangedBytesAreRefused(_ chain: [[UInt8]]) throws {
    let anchors = TrustAnchors(extraRoots: [chain[2]])
    let key = try leaf(of: chain).key.rawRepresentation
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
