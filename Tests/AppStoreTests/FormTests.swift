import AppStoreSigning
import Contracts
import Foundation
import Testing

@testable import AppStore

/// The forms in which proofs come, in order or with one thing wrong, and why each is refused.
@Suite struct `a proof of each form` {
    @Test(arguments: SignedForm.all.filter { $0.kind == .transaction })
    func `is the transaction that was signed, or refused for its flaw`(form: SignedForm) throws {
        let example = try form.example()
        let verifier = TransactionVerifier(extraRoots: [example.root].compactMap(\.self))
        let refusal = reason {
            let verified = try verifier.verify(example.proof, now: .newYear2026)
            #expect(try verified == example.payload())
        }
        #expect(refusal?.rawValue == form.refusal?.rawValue)
    }

    @Test(arguments: SignedForm.all.filter { $0.kind == .appReceipt })
    func `is an app receipt that is taken, or refused for its flaw`(form: SignedForm) throws {
        let example = try form.example()
        let verifier = AppReceiptVerifier(extraRoots: [example.root].compactMap(\.self))
        let bytes = try #require(ReceiptText.bytes(ofBase64: example.proof))
        #expect(reason { try verifier.verify(bytes) }?.rawValue == form.refusal?.rawValue)
    }
}

extension SignedForm.Example {
    /// The transaction in a JWS, whoever signed it.
    func payload() throws -> SignedTransaction {
        let payload = try CompactJWS(Array(proof.utf8), maximumBytes: CompactJWS.maximumBytes).payload
        return try JSONDecoder().decode(SignedTransaction.self, from: Data(payload))
    }
}
