import Contracts
import Delivery

/// What is said of a purchase besides its facts, where its names are being registered or it has gone to another chain.
extension NameWorkflow {
    /// Whether a claim that waits for Apple's word waits for one of its names as well, or has another statement that
    /// waits.
    static func isRegistering(_ record: ClaimRecord, in context: HandlerContext) throws -> Bool {
        guard record.claim.state == .waiting else { return false }
        if try NameWorkflow(record.chainPurchase, in: context)?.way() == .wait { return true }
        return try NameMessageStore(connection: context.connection).contains(record.chainPurchase)
    }

    /// Passes Apple's last word on to what waits for names, or to the chain to which the purchase has gone.
    static func pass(_ completed: EvidenceCompletedV1, in context: HandlerContext) throws {
        let chain = ChainKey(completed.environment, completed.bundleId, completed.originalTransactionId)
        try NameMessageStore(connection: context.connection).complete(completed, of: chain)
        let path = completed.aliases ?? []
        guard let home = try home(of: completed.transactionId, completed.purchaseId, on: chain, in: context),
            mayGo(to: home, through: path)
        else { return }
        var forwarded = completed
        forwarded.originalTransactionId = home
        forwarded.aliases = path + [chain.originalTransactionID]
        try context.send(forwarded)
    }

    /// Whether a message that has come through these chains does not go round a circle of aliases, which facts cut.
    static func mayGo(to home: TransactionID, through path: [TransactionID]) -> Bool {
        !path.contains(home) && path.count < TransactionVerifiedV1.maximumAliases
    }

    /// To which chain a purchase has gone; nil if it is at home, or unknown.
    static func home(
        of transaction: TransactionID,
        _ purchase: PurchaseID,
        on chain: ChainKey,
        in context: HandlerContext
    ) throws -> TransactionID? {
        let store = NameRegistrationStore(connection: context.connection)
        let stated = try store.purchase(stating: .transaction(transaction), in: chain)?.registration
        guard let known = try stated ?? store.registration(ChainPurchase(chain, purchase)) else {
            return try store.home(of: chain)
        }
        switch known.way(.open) {
        case .forward(let home): return home
        case .wait, .proceed: return nil
        }
    }
}
