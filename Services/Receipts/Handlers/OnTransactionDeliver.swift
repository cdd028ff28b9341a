import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.transaction.deliver.v1`: a transaction that Apple was asked for goes to its claim, on nobody's behalf.
struct OnTransactionDeliver {
    let workflow: SubmissionWorkflow

    func callAsFunction(
        _ message: Event<TransactionDeliverV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<TransactionDeliveredV1> {
        let proof = Proof(kind: .signedTransaction, text: message.data.signedTransaction)
        guard proof.kind == .signedTransaction else { return Self.refused("is a receipt, not a transaction") }
        let contents: ProofContents
        do {
            contents = try workflow.reader.contents(of: proof, now: context.now)
        } catch {
            return Self.refused("is no transaction that Apple signed: \(error.rawValue)")
        }
        guard let signed = contents.transactions.first, let facts = TransactionFacts(signed) else {
            return Self.refused("cannot be read")
        }
        if let obstacle = obstacle(facts, signed, of: message.data.bundleId) {
            return Self.refused("is not taken: \(obstacle.rawValue)")
        }
        try context.sendToClaim(signed, facts)
        return .reply(TransactionDeliveredV1(transactionId: facts.transactionId))
    }

    private static func refused(_ detail: String) -> RequestOutcome<TransactionDeliveredV1> {
        .refused(RequestRefusal(.invalid, detail, field: "signedTransaction"))
    }

    private func obstacle(
        _ facts: TransactionFacts,
        _ signed: SignedTransaction,
        of bundleID: BundleID
    ) -> AppPolicy.Obstacle? {
        guard let policy = workflow.policies[bundleID] else { return .unknownApp }
        return facts.bundleId == bundleID ? policy.obstacle(signed) : .wrongApp
    }
}
