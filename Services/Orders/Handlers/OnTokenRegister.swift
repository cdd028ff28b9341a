import Contracts
import Delivery

/// `counterfoil.token.register.v1`: an app's own `appAccountToken` belongs to a buyer; the first registration holds.
struct OnTokenRegister {
    func callAsFunction(
        _ message: Event<TokenRegisterV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<TokenRegisteredV1> {
        let request = message.data
        guard let token = AccountToken(rawValue: request.appAccountToken) else {
            return .refused(RequestRefusal(.notUUID))
        }
        let tokens = TokenStore(connection: context.connection)
        let owner = try tokens.owner(of: token, in: request.bundleId)
        let order = try OrderID(rawValue: token.rawValue)
            .flatMap { try OrderStore(connection: context.connection).order($0) }
        let transition: Transition
        do throws(TokenRegistration.Refusal) {
            transition = try TokenRegistration.judge(
                for: request.buyerId,
                owner: owner,
                isOrder: order != nil
            )
        } catch {
            return .refused(RequestRefusal(error))
        }
        if transition == .applied {
            let entry = Trace.Entry(message, at: context.now)
            try tokens.register(token, in: request.bundleId, for: request.buyerId, entry)
        }
        return .reply(TokenRegisteredV1(appAccountToken: token.rawValue, buyerId: request.buyerId))
    }
}
