import AppStore
import AppStoreSigning
import Contracts
import Testing

@Suite struct `a chain of Apple's shape` {
    let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")

    @Test func `without a flaw is trusted through its root`() throws {
        let signer = try AppStoreSigner()
        let transaction = purchase.transaction(at: .newYear2026)
        let verified = try signer.transactions
            .verify(signer.sign(transaction: transaction), now: .newYear2026)
        #expect(verified == transaction)
    }

    @Test(arguments: ChainFlaw.allCases)
    func `with a flaw is refused for it`(flaw: ChainFlaw) throws {
        let signer = try AppStoreSigner(flaw: flaw)
        let verifier = signer.transactions
        let jws = try signer.sign(transaction: purchase.transaction(at: .newYear2026))
        let expected: VerificationFailure.Reason =
            flaw == .expiredLeaf || flaw == .expiredIntermediate ? .expiredCertificate : .untrusted
        #expect(reason { try verifier.verify(jws, now: .newYear2026) } == expected)
    }

    @Test(arguments: [ChainFlaw.expiredLeaf, .expiredIntermediate])
    func `that has expired still holds for what was signed before`(flaw: ChainFlaw) throws {
        let signer = try AppStoreSigner(flaw: flaw)
        let transaction = purchase.transaction(at: Timestamp(milliseconds: 1_625_000_000_000))
        let verified = try signer.transactions
            .verify(signer.sign(transaction: transaction), now: .newYear2026)
        #expect(verified == transaction)
    }

    @Test func `whose root is not known is untrusted`() throws {
        let jws = try AppStoreSigner().sign(transaction: purchase.transaction(at: .newYear2026))
        #expect(reason { try TransactionVerifier().verify(jws, now: .newYear2026) } == .untrusted)
        let other = TransactionVerifier(extraRoots: [try AppStoreSigner().rootDER])
        #expect(reason { try other.verify(jws, now: .newYear2026) } == .untrusted)
    }

    @Test func `with another's root put in its place is untrusted`() throws {
        let trusted = try AppStoreSigner()
        let stranger = try AppStoreSigner()
        let chain = Array(stranger.certificates.prefix(2)) + [trusted.rootDER]
        let jws = try stranger.sign(
            payload: Array(#"{"signedDate":1767225600000}"#.utf8),
            header: AppStoreSigner.header(x5c: chain)
        )
        let verifier = TransactionVerifier(extraRoots: [trusted.rootDER])
        #expect(reason { try verifier.verify(jws, now: .newYear2026) } == .untrusted)
    }
}
