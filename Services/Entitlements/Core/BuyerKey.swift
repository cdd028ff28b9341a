import Contracts

/// A buyer of an app in one environment: whose ledger, balances and possessions.
struct BuyerKey: Hashable, Sendable {
    let bundleId: BundleID
    let buyerId: BuyerID
    let environment: Environment

    init(_ bundle: BundleID, _ buyer: BuyerID, _ environment: Environment) {
        (bundleId, buyerId, self.environment) = (bundle, buyer, environment)
    }

    /// The buyer of a purchase, in its environment.
    init(_ facts: TransactionFacts, of buyer: BuyerID) {
        self.init(facts.bundleId, buyer, facts.environment)
    }

    init(_ request: EntitlementsGetV1) { self.init(request.bundleId, request.buyerId, request.environment) }

    init(_ request: SubscriptionsGetV1) { self.init(request.bundleId, request.buyerId, request.environment) }
}
