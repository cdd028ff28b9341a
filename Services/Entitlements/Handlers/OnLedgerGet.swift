import Contracts
import Delivery

/// `counterfoil.ledger.get.v1`: a page of a buyer's ledger.
struct OnLedgerGet {
    func callAsFunction(
        _ message: Event<LedgerGetV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<LedgerV1> {
        let request = message.data
        let ledger = LedgerStore(connection: context.connection)
        let page = try LedgerPage(request)
        var number: Int64 = 0
        if let after = page.after {
            let known = try ledger.number(of: after, bundleId: request.bundleId, buyerId: request.buyerId)
            guard let known else { return .refused(.noSuchEntry) }
            number = known
        }
        return .reply(page.answer(try ledger.entries(of: page, after: number, for: request)))
    }
}
