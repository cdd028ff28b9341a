import Crypto
import TestKit
import Testing

@testable import AppStore

@Suite(.enabled(if: Vectors.areThere, "no vectors"))
struct `certificate chains of Apple's and others' making` {
    private func synthetic() throws -> [[UInt8]] {
        try Vectors.chain("test_leaf", "test_intermediate", "test_root_ca")
    }

    @Test func `of the synthetic kind are valid in their time and not after`() throws {
        let leaf = try leaf(of: synthetic())
        #expect(leaf.chain.isValid(at: Vectors.valid))
        #expect(!leaf.chain.isValid(at: Vectors.expired))
        let key = try P256.Signing.PublicKey(
            derRepresentation: Vectors.bytes("apple-mock/chains/test_leaf_public_key.spki.der")
        )
        #expect(leaf.key.rawRepresentation == key.rawRepresentation)
    }

    @Test func `of Apple's own lead to a pinned root and are valid in their time`() throws {
        let leaf = try CertificateChain.check(Vectors.chainOfApple(), anchors: TrustAnchors())
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
        #expect(reason { try leaf(of: chain) } == .untrusted)
    }

    @Test func `that end in another root are untrusted`() throws {
        let chain = try Vectors.chain("test_leaf", "test_intermediate", "real_apple_root_ca_g3")
        #expect(reason { try CertificateChain.check(chain, anchors: TrustAnchors()) } == .untrusted)
    }

    @Test func `of another length are malformed`() throws {
        try expectOtherLengthsAreMalformed(synthetic())
    }

    @Test func `with a changed byte are refused, or hold the same key`() throws {
        try expectChangedBytesAreRefused(synthetic())
    }
}

extension Vectors {
    /// Of the certificates with which Apple signs.
    static func chainOfApple() throws -> [[UInt8]] {
        try chain("real_apple_prod_ecc_signing_2025_2027", "real_apple_wwdr_g6", "real_apple_root_ca_g3")
    }
}
