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
        var content = message.data
        content.idempotencyKey = ""
        let request = WalletRequest(
            WalletRequest.Route(content.kind),
            content.bundleId,
            content.buyerId,
            key: message.data.idempotencyKey,
            content: try JSONColumn.text(content)
        )
        let key = HoldingKey(content.bundleId, content.buyerId, content.environment, content.entitlement)
        let metadata = try content.metadata.map { try JSONColumn.text($0) }
        let requests = WalletRequests(context)
        return try requests.carryOut(request, of: message.id, metadata: metadata) { holdings, _ in
            try Wallet.move(
                message.data,
                balance: try holdings.amount(of: key),
                isCounted: catalog.isSpendable(key.entitlement),
                metadataBytes: metadata?.utf8.count ?? 0
            )
        }
    }
}
