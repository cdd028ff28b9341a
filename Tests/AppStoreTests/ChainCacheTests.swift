import AppStoreSigning
import Contracts
import Crypto
import Testing

@testable import AppStore

@Suite struct `the chain cache` {
    private func leaf(validFrom: Int64 = 0) -> VerifiedLeaf<P256.Signing.PublicKey> {
        let chain = VerifiedChain(certificates: [], validFrom: validFrom, validUntil: 1_000)
        return VerifiedLeaf(key: P256.Signing.PrivateKey().publicKey, chain: chain)
    }

    private func header(_ number: Int) -> ArraySlice<UInt8> { Array("header \(number)".utf8)[...] }

    @Test func `finds a header by its bytes, wherever they lie`() {
        let cache = ChainCache<P256.Signing.PublicKey>()
        cache.insert(leaf(validFrom: 7), for: header(1))
        let elsewhere = Array("..header 1..".utf8)[2..<10]
        #expect(cache.leaf(for: elsewhere)?.chain.validFrom == 7)
        #expect(cache.leaf(for: header(2)) == nil)
        #expect(cache.leaf(for: []) == nil)
    }

    @Test func `forgets the oldest header when it is full`() {
        let cache = ChainCache<P256.Signing.PublicKey>(capacity: 3)
        for number in 1...4 { cache.insert(leaf(), for: header(number)) }
        cache.insert(leaf(), for: header(4))
        #expect(cache.count == 3)
        #expect(cache.leaf(for: header(1)) == nil)
        for number in 2...4 { #expect(cache.leaf(for: header(number)) != nil) }
    }

    @Test func `keeps only headers that a good signature covers`() throws {
        let signer = try AppStoreSigner()
        let verifier = SignedDataVerifier(extraRoots: [signer.rootDER])
        let stranger = try AppStoreSigner()
        let payload = Array(#"{"signedDate":1767225600000}"#.utf8)
        for spaces in 1...3 {
            let padding = Array(String(repeating: " ", count: spaces).utf8)
            let header = AppStoreSigner.header(x5c: signer.certificates) + padding
            let jws = Array(try stranger.sign(payload: payload, header: header).utf8)
            #expect(throws: VerificationFailure.self) {
                try verifier.verify(jws, as: SignedTransaction.self, now: .newYear2026)
            }
        }
        #expect(verifier.cache.count == 0)
        let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
        for _ in 1...3 {
            let jws = try signer.sign(transaction: purchase.transaction(at: .newYear2026))
            _ = try verifier.verify(Array(jws.utf8), as: SignedTransaction.self, now: .newYear2026)
        }
        #expect(verifier.cache.count == 1)
    }
}
