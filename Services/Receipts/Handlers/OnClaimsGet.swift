import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.claims.get.v1`: how the claims of some transactions stand in this partition.
struct OnClaimsGet {
    /// Most transactions of one question.
    static let maximumTransactions = 1_000

    func callAsFunction(
        _ message: Event<ClaimsGetV1>,
        in transaction: inout Transaction
    ) throws -> RequestOutcome<ClaimsV1> {
        let ask = message.data
        guard ask.transactionIds.count <= Self.maximumTransactions else {
            let detail = "names more than \(Self.maximumTransactions) transactions"
            return .refused(RequestRefusal(.invalid, detail, field: "transactionIds"))
        }
        let store = ClaimStore(connection: transaction.connection)
        let claims = try ask.transactionIds.compactMap { id in
            try store.record(
                TransactionKey(
                    environment: ask.environment,
                    bundleID: ask.bundleId,
                    transactionID: id
                )
            )
        }
        return .reply(ClaimsV1(claims: claims.map(ClaimsV1.Claim.init)))
    }
}

extension ClaimsV1.Claim {
    fileprivate init(_ record: ClaimRecord) {
        self.init(
            transactionId: record.key.transactionID,
            state: record.claim.state.name,
            signedDate: record.claim.statement?.signedDate ?? Timestamp(milliseconds: 0),
            isRevoked: record.claim.statement?.isRevoked ?? false
        )
        if case .held(let holder) = record.claim.state { (buyerId, orderId) = (holder.buyer, holder.order) }
    }
}
