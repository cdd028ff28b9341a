import Contracts
import Database
import Delivery

/// `counterfoil.claims.get.v1`: the claims of some transactions in this partition.
struct OnClaimsGet {
    static let maximumTransactions = 1_000

    func callAsFunction(
        _ message: Event<ClaimsGetV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<ClaimsV1> {
        let ask = message.data
        guard ask.transactionIds.count <= Self.maximumTransactions else {
            let detail = "names more than \(Self.maximumTransactions) transactions"
            return .refused(RequestRefusal(.invalid, detail, field: "transactionIds"))
        }
        let store = ClaimStore(connection: context.connection)
        let claims = try ask.transactionIds.compactMap { id in
            let name = PurchaseKey(ask.environment, ask.bundleId, PurchaseID(id))
            return try store.record(named: name).map { ClaimsV1.Claim($0, askedAs: id) }
        }
        return .reply(ClaimsV1(claims: claims))
    }
}

extension ClaimStore {
    /// The claim of a transaction, as others are told of it.
    func claim(of facts: TransactionFacts) throws(StoreError) -> ClaimsV1.Claim? {
        guard let record = try record(of: facts) else { return nil }
        return ClaimsV1.Claim(record, askedAs: facts.transactionId)
    }
}

extension ClaimsV1.Claim {
    fileprivate init(_ record: ClaimRecord, askedAs id: TransactionID) {
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
