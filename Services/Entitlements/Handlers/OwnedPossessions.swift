import Contracts
import Delivery
import Domain

extension HandlerContext {
    /// What other purchases have given a grant's buyer for ever; nothing where that does not matter.
    func owned(
        beside grant: Grant,
        _ facts: TransactionFacts,
        _ offer: Catalog.Lookup
    ) throws -> Set<String> {
        guard offer.asksWhatIsOwned, grant.mayGive else { return [] }
        let buyer = EntitlementsGetV1(facts, of: grant.buyerId)
        return try HoldingStore(connection: connection).owned(buyer, beside: facts.purchaseId)
    }
}
