import Contracts
import Database
import Delivery
import Domain

/// The requests that buyers' servers make of wallets.
struct WalletRequests {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Moves an amount out of what a buyer holds, or into it.
    func move(_ message: Event<WalletMoveV1>, _ catalog: Catalog) throws -> RequestOutcome<WalletEntryV1> {
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
        return try carryOut(request, of: message.id, metadata: metadata) { holdings, _ in
            try Wallet.move(
                message.data,
                balance: try holdings.amount(of: key),
                isCounted: catalog.isSpendable(key.entitlement),
                metadataBytes: metadata?.utf8.count ?? 0
            )
        }
    }

    /// Carries out a request of a wallet once; a repeated one is told the same, and a refused one leaves no trace.
    func carryOut(
        _ request: WalletRequest,
        of message: EventID,
        metadata: String? = nil,
        _ decide: (HoldingStore, LedgerStore) throws -> Wallet.Change
    ) throws -> RequestOutcome<WalletEntryV1> {
        let requests = WalletRequestStore(connection: context.connection)
        let ledger = LedgerStore(connection: context.connection)
        do {
            if let known = try requests.known(request) {
                return .reply(try request.repeated(known.fingerprint, known.reply))
            }
            let change = try decide(HoldingStore(connection: context.connection), ledger)
            let id = EntryID(of: request)
            try ledger.append(change, id, for: request, metadata: metadata, by: message, at: context.now)
            let reply = WalletEntryV1(entryId: id.rawValue, balance: change.balance)
            try requests.add(request, reply)
            return .reply(reply)
        } catch let refusal as RequestRefusal {
            return .refused(refusal)
        }
    }
}
