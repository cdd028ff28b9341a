import AppStoreSigning
import Contracts
import Domain
import Testing

@testable import AppStore

@Suite struct `the chains in use` {
    private let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")

    @Test func `are those that a good signature led to, each once, whatever header carries it`() throws {
        let signer = try AppStoreSigner()
        let verifier = signer.transactions
        #expect(verifier.chainsInUse.isEmpty)
        let transaction = try signer.sign(transaction: purchase.transaction(at: .newYear2026))
        for padding in ["", " ", "  "] {
            let header = AppStoreSigner.header(x5c: signer.certificates) + Array(padding.utf8)
            let jws = try signer.sign(payload: payload(of: transaction), header: header)
            _ = try verifier.verify(jws, now: .newYear2026)
        }
        #expect(verifier.chainsInUse.map(\.certificates) == [signer.certificates])
    }

    @Test func `begin with the newest, as a check is limited`() throws {
        let signers = try (0..<3).map { _ in try AppStoreSigner() }
        let verifier = TransactionVerifier(extraRoots: signers.map(\.rootDER))
        for signer in signers + signers {
            let jws = try signer.sign(transaction: purchase.transaction(at: .newYear2026))
            _ = try verifier.verify(jws, now: .newYear2026)
        }
        #expect(verifier.chainsInUse.map(\.certificates) == signers.reversed().map(\.certificates))
    }

    @Test func `hold none that only a stranger's signature came with`() throws {
        let signer = try AppStoreSigner()
        let verifier = signer.transactions
        let forged = try signer.forging().sign(transaction: purchase.transaction(at: .newYear2026))
        #expect(reason { try verifier.verify(forged, now: .newYear2026) } == .badSignature)
        #expect(verifier.chainsInUse.isEmpty)
    }

    @Test func `end with the root that is trusted, whichever was presented`() throws {
        let signer = try AppStoreSigner()
        let verifier = signer.transactions
        let presented = signer.certificates.prefix(2) + [try AppStoreSigner().rootDER]
        let transaction = try signer.sign(transaction: purchase.transaction(at: .newYear2026))
        let header = AppStoreSigner.header(x5c: Array(presented))
        _ = try verifier.verify(
            signer.sign(payload: payload(of: transaction), header: header),
            now: .newYear2026
        )
        #expect(verifier.chainsInUse.map(\.certificates) == [signer.certificates])
    }

    @Test func `are valid as long as all of their certificates`() throws {
        let signer = try AppStoreSigner(flaw: .expiredIntermediate)
        let verifier = signer.transactions
        let old = purchase.transaction(at: .summer2021)
        #expect(try verifier.verify(signer.sign(transaction: old), now: .summer2021) == old)
        let chain = try #require(verifier.chainsInUse.first)
        #expect(chain.isValid(at: .summer2021))
        #expect(!chain.isValid(at: .newYear2026))
        #expect(!chain.isValid(at: Timestamp(milliseconds: 0)))
    }

    @Test func `are told by notifications and app receipts, too`() throws {
        let signer = try AppStoreSigner()
        let notifications = ServerNotificationVerifier(extraRoots: [signer.rootDER])
        _ = try notifications.verify(
            signer.sign(json: PayloadSamples.payload(.notification)),
            now: .newYear2026
        )
        #expect(notifications.chainsInUse.map(\.certificates) == [signer.certificates])

        let receiptSigner = try AppReceiptSigner()
        let receipts = receiptSigner.verifier
        let receipt = SimulatedReceipt.sample([purchase.transaction(at: .newYear2026)])
        _ = try receipts.verify(receiptSigner.sign(receipt))
        #expect(receipts.chainsInUse.map(\.certificates) == [receiptSigner.certificates])
    }

    private func payload(of jws: String) throws -> [UInt8] {
        try #require(Base64.url.decode(Array(jws.split(separator: ".")[1].utf8)[...]))
    }
}
