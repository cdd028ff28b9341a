import Contracts
import Delivery
import Domain

/// `counterfoil.spend.reverse.v1`: gives back what a buyer spent.
struct OnSpendReverse {
    func callAsFunction(
        _ message: Event<SpendReverseV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<WalletEntryV1> {
        let (content, bundle, buyer) = (message.data, message.data.bundleId, message.data.buyerId)
        let key = content.idempotencyKey
        let request = WalletRequest(.reverse, bundle, buyer, key: key, content: content.entryId)
        return try WalletRequests(context).carryOut(request, of: message.id) { holdings, ledger in
            guard let id = EntryID(rawValue: content.entryId),
                let entry = try ledger.entry(id, bundleId: bundle, buyerId: buyer)
            else { throw RequestRefusal.noSuchSpend }
            let balance = HoldingKey(bundle, buyer, entry.environment, entry.entitlement)
            return try Wallet.reverse(
                entry,
                isReversed: try ledger.isReversed(id, bundleId: bundle, buyerId: buyer),
                balance: try holdings.amount(of: balance)
            )
        }
    }
}
