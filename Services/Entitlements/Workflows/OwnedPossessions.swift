import Contracts
import Delivery
import Domain

/// The possessions that purchases have given a buyer for ever.
struct OwnedPossessions {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Those of other purchases than a grant's; none where they do not matter.
    func beside(_ grant: Grant, _ facts: TransactionFacts, _ offer: Catalog.Lookup) throws -> Set<String> {
        guard offer.asksWhatIsOwned, grant.mayGive else { return [] }
        let buyer = BuyerKey(facts, of: grant.buyerId)
        return try HoldingStore(connection: context.connection).owned(buyer, beside: facts.purchaseId)
    }
}
