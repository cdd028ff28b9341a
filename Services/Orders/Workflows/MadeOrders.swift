import Contracts
import Delivery
import Domain

/// The orders that are made in this partition, one after the other.
struct MadeOrders {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// A new id for an order of `buyer`.
    func newID(of buyer: BuyerID, in bundle: BundleID) -> OrderID {
        let shard = PartitionKey.buyer(buyer, of: bundle).shard
        return OrderID(time: context.now, shard: shard, random: context.newRandomBits())
    }

    /// Counts a new order if the one that was made before it is another buyer's of the same millisecond.
    func count(_ order: Order) {
        let made = MadeOrder(at: context.now, bundle: order.bundleID, buyer: order.buyerID)
        let isShared = made.shares(millisecondOf: context.kept as? MadeOrder)
        if isShared { context.count(CountedRule.sameMillisecond.rawValue) }
        context.kept = made
    }
}
