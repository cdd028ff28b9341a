import Contracts
import Delivery

/// The requests that buyers' servers make of wallets.
struct WalletRequests {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Carries out a request of a wallet once; a repeated one is told the same, and a refused one leaves no trace.
    ///
    /// - Throws: `StoreError`, `RequestRefusal`.
    func carryOut(
        _ request: WalletRequest,
        of message: EventID,
        metadata: String? = nil,
        _ decide: (HoldingStore, LedgerStore) throws -> Wallet.Change
    ) throws -> RequestOutcome<WalletEntryV1> {
        let requests = WalletRequestStore(connection: context.connection)
        let ledger = LedgerStore(connection: context.connection)
        if let known = try requests.known(request) {
            return .reply(try request.repeated(known.fingerprint, known.reply))
        }
        let change = try decide(HoldingStore(connection: context.connection), ledger)
        let id = EntryID(of: request)
        try ledger.append(change, id, for: request, metadata: metadata, by: message, at: context.now)
        let reply = WalletEntryV1(entryId: id.rawValue, balance: change.balance)
        try requests.add(request, reply)
        return .reply(reply)
    }
}
