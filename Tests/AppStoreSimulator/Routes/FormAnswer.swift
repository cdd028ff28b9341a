import AppStoreSigning
import Foundation

/// A form of a proof as the control interface gives it to whoever verifies proofs: what it is, and what is right.
struct FormAnswer: Encodable {
    let name: String
    let kind: SignedForm.Kind
    /// Absent for what is genuine.
    let refusal: SignedForm.Refusal?
    let proof: String
    /// DER of the root certificate to trust.
    let root: Data?
    let transactionId: String?

    init(_ form: SignedForm) throws {
        let example = try form.example()
        name = form.name
        kind = form.kind
        refusal = form.refusal
        proof = example.proof
        root = example.root.map { Data($0) }
        transactionId = example.transactionID
    }
}
