import Contracts
import Delivery
import Domain

/// `counterfoil.wallet.credit.v1`: adds an amount to what a buyer holds.
struct OnWalletCredit {
    let catalog: Catalog

    func callAsFunction(
        _ message: Event<WalletCreditV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<WalletEntryV1> {
        var content = message.data
        content.idempotencyKey = ""
        let (bundle, buyer) = (content.bundleId, content.buyerId)
        let request = WalletRequest(
            .credit,
            bundle,
            buyer,
            key: message.data.idempotencyKey,
            content: try JSONColumn.text(content)
        )
        let metadata = try content.metadata.map { try JSONColumn.text($0) }
        return try context.carryOut(request, of: message.id, metadata: metadata) { holdings, _ in
            let account = HoldingStore.Balance(bundle, buyer, content.environment, content.entitlement)
            return try Wallet.credit(
                content,
                to: try holdings.amount(of: account),
                isCounted: catalog.isSpendable(content.entitlement),
                metadataBytes: metadata?.utf8.count ?? 0
            )
        }
    }
}
