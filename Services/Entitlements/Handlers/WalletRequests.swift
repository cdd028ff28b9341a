import Contracts
import Database
import Delivery
import Domain

extension HandlerContext {
    /// Carries out a request of a wallet once; a repeated one is told the same, and a refused one leaves no trace.
    mutating func carryOut(
        _ request: WalletRequest,
        of message: EventID,
        metadata: String? = nil,
        _ decide: (HoldingStore, LedgerStore) throws -> Wallet.Change
    ) throws -> RequestOutcome<WalletEntryV1> {
        let requests = WalletRequestStore(connection: connection)
        let ledger = LedgerStore(connection: connection)
        do {
            if let known = try requests.known(request) {
                return .reply(try request.repeated(known.fingerprint, known.reply))
            }
            let change = try decide(HoldingStore(connection: connection), ledger)
            let id = EntryID(of: request)
            try ledger.append(change, id, for: request, metadata: metadata, by: message, at: now)
            let reply = WalletEntryV1(entryId: id.rawValue, balance: change.balance)
            try requests.add(request, reply)
            return .reply(reply)
        } catch let refusal as RequestRefusal {
            return .refused(refusal)
        }
    }
}
