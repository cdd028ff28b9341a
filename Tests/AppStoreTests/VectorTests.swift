import Contracts
import Crypto
import Foundation
import Testing

@testable import AppStore

@Suite struct `Apple's vectors` {
    let mock: SignedDataVerifier
    let mockTransactions: TransactionVerifier
    let apple = SignedDataVerifier()
    let now = Timestamp(milliseconds: 1_681_314_324_000)

    init() throws {
        let root = try Vectors.bytes("apple-mock/testCA.der")
        mock = SignedDataVerifier(extraRoots: [root])
        mockTransactions = TransactionVerifier(extraRoots: [root])
    }

    @Test(arguments: ["transactionInfo", "renewalInfo", "testNotification", "wrongBundleId"])
    func `signed by the synthetic root are genuine, untrusted under Apple's, and no transactions`(
        name: String
    ) throws {
        let bytes = try Vectors.bytes("apple-mock/jws/\(name)")
        _ = try mock.verify(bytes, as: TransactionPayload.self, now: now)
        #expect(reason { try apple.verify(bytes, as: TransactionPayload.self, now: now) } == .untrusted)
        // They lack a transaction id.
        #expect(reason { try mockTransactions.verify(bytes, now: now) } == .malformed)
    }

    @Test func `that present the synthetic root's key in another certificate are held against the known one`()
        throws
    {
        let presented = try Vectors.bytes("apple-mock/jws/transactionInfo")
        let other = SignedDataVerifier(extraRoots: [
            try Vectors.bytes("apple-mock/chains/real_apple_root_ca_g3.der")
        ])
        #expect(reason { try other.verify(presented, as: TransactionPayload.self, now: now) } == .untrusted)
        #expect(reason { try mock.verify(presented, as: TransactionPayload.self, now: now) } == nil)
    }

    @Test func `transactionInfo says what it says`() throws {
        let bytes = try Vectors.bytes("apple-mock/jws/transactionInfo")
        let payload: TransactionPayload = try mock.verify(bytes, now: now)
        #expect(payload.environment == "Sandbox" && payload.bundleId == "com.example")
        #expect(payload.signedDate?.count == 1_672_956_154_000)
    }

    @Test(
        arguments: [
            ("apple-mock/jws/missingX5CHeaderClaim", .malformed),
            ("apple-mock/jws/legacyTransaction", .malformed),
            ("apple-mock/xcode/xcode-app-receipt-empty", .malformed),
            ("apple-mock/xcode/xcode-app-receipt-with-transaction", .malformed),
            ("apple-mock/xcode/xcode-signed-transaction", .unsigned),
            ("apple-mock/xcode/xcode-signed-app-transaction", .unsigned),
            ("apple-mock/xcode/xcode-signed-renewal-info", .unsigned),
        ] as [(String, VerificationFailure.Reason)]
    )
    func `that carry no chain, are app receipts, or made by Xcode are never accepted`(
        path: String,
        expected: VerificationFailure.Reason
    ) throws {
        let bytes = try Vectors.bytes(path)
        #expect(reason { try mockTransactions.verify(bytes, now: now) } == expected)
    }

    @Test func `signed by Apple itself in 2023 is genuine at its own date though its leaf has expired since`()
        throws
    {
        let bytes = try Vectors.bytes("apple-real/renewalInfo_sandbox_2023.jws")
        let payload: TransactionPayload = try apple.verify(bytes, now: .newYear2026)
        #expect(payload.environment == "Sandbox")
        #expect(reason { try TransactionVerifier().verify(bytes, now: .newYear2026) } == .malformed)
    }

    @Test func `signed by Apple itself do not survive a changed byte`() throws {
        let genuine = try Vectors.bytes("apple-real/renewalInfo_sandbox_2023.jws")
        let dot = try #require(genuine.lastIndex(of: UInt8(ascii: ".")))
        for offset in [dot + 1, dot + 40] {
            var bytes = genuine
            bytes[offset] = bytes[offset] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(
                reason { try apple.verify(bytes, as: TransactionPayload.self, now: now) } == .badSignature
            )
        }
    }
}

@Suite struct `Apple's certificate chains` {
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
                    #expect(
                        try CertificateChain.check(changed, anchors: anchors).key.rawRepresentation == key
                    )
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
