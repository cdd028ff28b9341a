import Contracts
import Delivery

/// `counterfoil.name.claimed.v1`: the first chain that claims a name has it; every claim is answered.
struct OnNameClaimed {
    func callAsFunction(_ message: Event<NameClaimedV1>, in context: HandlerContext) throws -> Outcome {
        let claimed = message.data
        let home = try PurchaseNameStore(connection: context.connection).claim(claimed)
        context.trace(message, of: claimed.purchaseId.rawValue)
        try context.send(NameHeldV1(claimed, homeId: home))
        return .applied
    }
}
