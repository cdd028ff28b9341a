import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: orphans, parked proofs and notifications, and purchases that are held up.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        let request = message.data
        guard DeskListV1.limits.contains(request.limit) else { return .refused(.pageTooLong) }
        let (claims, proofs) = (
            ListedClaims(connection: context.connection), ParkedProofs(connection: context.connection)
        )
        switch request.list {
        case .orphans: return .reply(try claims.orphans(request))
        case .held: return .reply(try claims.heldUp(request))
        case .parked: return .reply(try proofs.page(request))
        case .open, .undelivered: return .reply(DeskPage(rows: [], hasMore: false))
        }
    }
}
