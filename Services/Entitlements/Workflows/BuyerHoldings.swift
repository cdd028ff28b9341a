import Contracts
import Delivery
import Domain

/// What a buyer holds, as far as a grant depends on it.
struct BuyerHoldings {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// The balances that must not fall below zero, of a grant's buyer; none where `facts` take nothing back.
    func floors(for grant: Grant, _ facts: TransactionFacts, _ catalog: Catalog) throws -> Floors {
        guard grant.mayTakeBack(facts) else { return [:] }
        return try floors(of: BuyerKey(facts, of: grant.buyerId), catalog)
    }

    /// The balances of a buyer that must not fall below zero.
    func floors(of buyer: BuyerKey, _ catalog: Catalog) throws -> Floors {
        let floored = catalog.entitlements.keys.filter { catalog.balance(of: $0) == .floor }
        guard !floored.isEmpty else { return [:] }
        let balances = try HoldingStore(connection: context.connection).balances(buyer)
        return Floors(Dictionary(uniqueKeysWithValues: floored.map { ($0, balances[$0] ?? 0) }))
    }

    /// The possessions that other purchases than a grant's have given its buyer for ever; none where they do not
    /// matter.
    ///
    /// Those of `compensations` on the same order make room for the purchase.
    func owned(
        beside grant: Grant,
        _ facts: TransactionFacts,
        _ offer: Catalog.Lookup,
        _ compensations: [Compensation] = []
    ) throws -> Set<String> {
        guard offer.asksWhatIsOwned, grant.mayGive else { return [] }
        let buyer = BuyerKey(facts, of: grant.buyerId)
        return try HoldingStore(connection: context.connection)
            .owned(buyer, beside: [facts.purchaseId] + compensations.map(\.purchaseID))
    }
}
