import Contracts
import Delivery
import Domain

/// `counterfoil.wallet.spend.v1`: takes an amount from what a buyer holds.
struct OnWalletSpend {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<WalletSpendV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<WalletEntryV1> {
        try WalletRequests(context).move(message, catalog)
    }
}
