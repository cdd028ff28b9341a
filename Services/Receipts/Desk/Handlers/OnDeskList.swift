import Contracts
import Delivery

/// `counterfoil.desk.list.v1`: orphans, what is parked or held up, and moves that wait for another operator.
struct OnDeskList {
    func callAsFunction(
        _ message: Event<DeskListV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<DeskPage> {
        let claims = ListedClaims(connection: context.connection)
        return try .page(of: message.data) { request in
            switch request.list {
            case .orphans: try claims.orphans(request)
            case .held: try claims.heldUp(request)
            case .parked: try ParkedProofs(connection: context.connection).page(request)
            case .proposals:
                try ProposedMoves(connection: context.connection, now: context.now).page(request)
            case .open, .undelivered: nil
            }
        }
    }
}
