import Contracts
import Delivery
import Domain

/// `counterfoil.wallet.credit.v1`: adds an amount to what a buyer holds.
struct OnWalletCredit {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<WalletCreditV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<WalletEntryV1> {
        try WalletRequests(context).move(message, catalog)
    }
}
