import Contracts
import Delivery
import Domain

/// `counterfoil.wallet.move.v1`: takes an amount from what a buyer holds, or adds one to it.
struct OnWalletMove {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<WalletMoveV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<WalletEntryV1> {
        try WalletRequests(context).move(message, catalog)
    }
}
