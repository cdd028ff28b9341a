import Crypto
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `certificate chains of Apple's and others' making` {
    @Test func `of the synthetic kind are valid in their time and not after`() throws {
        let chain = try Vectors.chain("test_leaf", "test_intermediate", "test_root_ca")
        let leaf = try CertificateChain.check(chain, anchors: TrustAnchors(extraRoots: [chain[2]]))
        #expect(leaf.chain.isValid(at: Vectors.valid))
        #expect(!leaf.chain.isValid(at: Vectors.expired))
        let key = try P256.Signing.PublicKey(
            derRepresentation: Vectors.bytes("apple-mock/chains/test_leaf_public_key.spki.der")
        )
        #expect(leaf.key.rawRepresentation == key.rawRepresentation)
    }

    @Test func `of Apple's own lead to a pinned root and are valid in their time`() throws {
        let chain = try Vectors.chain(
            "real_apple_prod_ecc_signing_2025_2027",
            "real_apple_wwdr_g6",
            "real_apple_root_ca_g3"
        )
        let leaf = try CertificateChain.check(chain, anchors: TrustAnchors())
        #expect(leaf.chain.isValid(at: Vectors.valid))
        #expect(!leaf.chain.isValid(at: Vectors.expired))
    }

    @Test(arguments: [
        ["test_leaf_invalid_oid", "test_intermediate"],
        ["test_leaf_for_intermediate_invalid_oid", "test_intermediate_invalid_oid"],
        ["test_leaf", "test_intermediate_invalid_oid"],
    ])
    func `without both of Apple's marks are untrusted`(names: [String]) throws {
        let chain = try Vectors.chain(names[0], names[1], "test_root_ca")
        let anchors = TrustAnchors(extraRoots: [chain[2]])
        #expect(reason { try CertificateChain.check(chain, anchors: anchors) } == .untrusted)
    }

    @Test func `that end in another root are untrusted`() throws {
        let chain = try Vectors.chain("test_leaf", "test_intermediate", "real_apple_root_ca_g3")
        #expect(reason { try CertificateChain.check(chain, anchors: TrustAnchors()) } == .untrusted)
    }

    @Test func `of another length are malformed`() throws {
        let chain = try Vectors.chain("test_leaf", "test_intermediate", "test_root_ca")
        let anchors = TrustAnchors(extraRoots: [chain[2]])
        for wrong in [[], Array(chain.prefix(2)), chain + [chain[2]]] {
            #expect(reason { try CertificateChain.check(wrong, anchors: anchors) } == .malformed)
        }
    }

    @Test func `with a changed byte are refused, or hold the same key`() throws {
        let chain = try Vectors.chain("test_leaf", "test_intermediate", "test_root_ca")
        let anchors = TrustAnchors(extraRoots: [chain[2]])
        let key = try CertificateChain.check(chain, anchors: anchors).key.rawRepresentation
        var accepted = 0
        for (place, der) in chain.enumerated() {
            for offset in der.indices {
                var changed = chain
                changed[place][offset] ^= 0x01
                do throws(VerificationFailure) {
                    let leaf = try CertificateChain.check(changed, anchors: anchors)
                    #expect(leaf.key.rawRepresentation == key)
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
