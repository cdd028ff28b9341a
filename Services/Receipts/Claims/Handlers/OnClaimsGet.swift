import Contracts
import Delivery

/// `counterfoil.claims.get.v1`: the claims of some transactions in this partition.
struct OnClaimsGet {
    static let maximumTransactions = 1_000

    func callAsFunction(
        _ message: Event<ClaimsGetV1>,
        in context: HandlerContext
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
