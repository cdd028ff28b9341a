import Contracts
import Delivery
import OrdersCore

/// `counterfoil.token.register.v1`: an `appAccountToken` of the app's own belongs to a buyer.
struct OnTokenRegister {
    /// Registers the token; the first registration holds.
    ///
    /// - Throws: `StoreError`.
    func callAsFunction(
        _ message: Event<TokenRegisterV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<TokenRegisteredV1> {
        let request = message.data
        guard let token = AccountToken(request.appAccountToken) else {
            return .refused(RequestRefusal(.notUUID))
        }
        let tokens = TokenStore(connection: context.connection)
        let owner = try tokens.owner(of: token, in: request.bundleId)
        let isOrder = try isOrder(token, in: context)
        let effect: Effect
        do throws(TokenRegistration.Refusal) {
            effect = try TokenRegistration.judge(for: request.buyerId, owner: owner, isOrder: isOrder)
        } catch {
            return .refused(RequestRefusal(error))
        }
        switch effect {
        case .applied:
            let step = Step(message, in: context)
            try tokens.register(token, in: request.bundleId, for: request.buyerId, step)
        case .repeated: break
        }
        return .reply(TokenRegisteredV1(appAccountToken: token.rawValue, buyerId: request.buyerId))
    }

    private func isOrder(_ token: AccountToken, in context: borrowing HandlerContext) throws -> Bool {
        guard let id = OrderID(rawValue: token.rawValue) else { return false }
        return try OrderStore(connection: context.connection).order(id) != nil
    }
}
