import Contracts
import Database

extension ClaimStore {
    /// The claim of a transaction, as others are told of it.
    func claim(of facts: TransactionFacts) throws(StoreError) -> ClaimsV1.Claim? {
        guard let record = try record(of: facts) else { return nil }
        return ClaimsV1.Claim(record, askedAs: facts.transactionId)
    }
}

extension ClaimsV1.Claim {
    /// The claim of a transaction that was asked for by `id`.
    init(_ record: ClaimRecord, askedAs id: TransactionID) {
        self.init(
            transactionId: id,
            purchaseId: record.key.purchaseID,
            state: record.claim.state.name,
            signedDate: record.claim.facts?.signedDate ?? Timestamp(milliseconds: 0),
            isRevoked: record.claim.facts?.isRevoked ?? false,
            isWhole: record.claim.facts?.isWhole ?? false
        )
        if case .held(let holder) = record.claim.state { (buyerId, orderId) = (holder.buyer, holder.order) }
    }
}
