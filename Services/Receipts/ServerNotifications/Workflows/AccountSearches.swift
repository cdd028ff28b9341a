import Contracts
import Delivery
import Domain

/// Tells the apps' servers whom to stop serving.
struct AccountSearches {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Reads one page of a search, and does what follows; the next page is due at once.
    func advance(_ stored: AccountSearch, claimsPerTurn: Int) throws {
        var search = stored
        let store = AccountSearchStore(connection: context.connection)
        for directive in search.apply(try store.page(of: search, limit: claimsPerTurn)) {
            switch directive {
            case .save:
                try store.save(search)
                context.scheduleWork(at: context.now)
            case .tell(let buyers, let part): try tell(buyers, of: search.lookup, part: part)
            case .remove: try store.remove(search)
            }
        }
    }

    private func tell(_ buyers: [BuyerID], of lookup: ConsentLookupV1, part: Int) throws {
        let teller = ["rescinded", lookup.notificationUUID, String(context.address.partition)]
        let id = DerivedID.hexadecimal(part == 0 ? teller : teller + [String(part)])
        try context.send(
            ConsentRescindedV1(
                bundleId: lookup.bundleId,
                environment: lookup.environment,
                appTransactionId: lookup.appTransactionId,
                rescindedAt: lookup.rescindedAt,
                buyerIds: buyers
            ),
            stamp: EventStamp(id: EventID(unchecked: id), time: lookup.rescindedAt, cause: nil)
        )
    }
}
