import Contracts
import Delivery

/// `counterfoil.token.register.v1`: an app's own `appAccountToken` belongs to a buyer; the first registration holds.
struct OnTokenRegister {
    func callAsFunction(
        _ message: Event<TokenRegisterV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<TokenRegisteredV1> {
        let (request, connection) = (message.data, context.connection)
        guard let token = AccountToken(rawValue: request.appAccountToken) else {
            return .refused(.tokenIsNoUUID)
        }
        let tokens = TokenStore(connection: connection)
        let owner = try tokens.owner(of: token, in: request.bundleId)
        let order = try OrderID(rawValue: token.rawValue).flatMap(OrderStore(connection: connection).order)
        if try TokenRegistration.judge(request.buyerId, owner: owner, order: order) == .applied {
            let entry = Trace.Entry(message, at: context.now)
            try tokens.register(token, in: request.bundleId, for: request.buyerId, entry)
        }
        return .reply(TokenRegisteredV1(appAccountToken: token.rawValue, buyerId: request.buyerId))
    }
}
