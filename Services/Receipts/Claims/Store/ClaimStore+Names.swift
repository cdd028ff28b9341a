import Contracts
import Database
import Delivery

/// The names of purchases: `purchase_alias` maps every transaction id seen in a partition to its purchase.
///
/// The first mapping stays, whatever a later statement says. A purchase's own name needs no row, and every other name
/// leads to a claim. Where a key leads to a purchase of another time, the transaction is a purchase of its own
/// (`LineItemPurchase`).
extension ClaimStore {
    /// The claim of the transaction's purchase, whose id and names are stored; the facts get that id.
    ///
    /// A transaction of which nobody has claimed a purchase gets the id under which its names were registered. What
    /// Orders or a ledger names has its id already.
    func claim(
        naming facts: inout TransactionFacts,
        registeredAs registered: PurchaseID? = nil
    ) throws(StoreError) -> ClaimRecord? {
        let key = PurchaseKey(facts)
        let transaction = key.named(facts.transactionId.rawValue)
        let byTransaction = try record(named: transaction)
        let byKey = key == transaction ? byTransaction : try record(named: key)
        let known: ClaimRecord? =
            if let byTransaction {
                byTransaction
            } else {
                try claim(of: facts, keyedLike: byKey, mayRestate: registered != nil)
            }
        if let known {
            facts.purchaseId = known.key.purchaseID
        } else if byKey != nil {
            facts.purchaseId = transaction.purchaseID
        } else if let registered, registered != facts.purchaseId,
            try record(key.named(registered.rawValue)) == nil
        {
            facts.purchaseId = registered
        }
        if byTransaction == nil { try add(transaction, of: facts.purchaseId) }
        guard byKey == nil else { return known }
        if let byTransaction, try isAddition(byTransaction) { return known }
        try add(key, of: facts.purchaseId)
        return known
    }

    /// The id under which a transaction's purchase is claimed, or will be.
    func purchase(
        of facts: TransactionFacts,
        registeredAs registered: PurchaseID
    ) throws(StoreError) -> PurchaseID {
        if let known = try record(of: facts) { return known.key.purchaseID }
        let isFurther = try record(named: PurchaseKey(facts)) != nil
        return isFurther ? PurchaseID(facts.transactionId) : registered
    }

    /// The claim of a transaction's purchase, by its own id or that of the purchase that it restores.
    func record(of facts: TransactionFacts) throws(StoreError) -> ClaimRecord? {
        let key = PurchaseKey(facts)
        let transaction = key.named(facts.transactionId.rawValue)
        let byTransaction = try record(named: transaction)
        if let byTransaction { return byTransaction }
        return try claim(of: facts, keyedLike: key == transaction ? nil : record(named: key))
    }

    /// The claim of a transaction, as others are told of it.
    func claim(of facts: TransactionFacts) throws(StoreError) -> ClaimsV1.Claim? {
        try record(of: facts).map { ClaimsV1.Claim($0, askedAs: facts.transactionId) }
    }

    private func add(_ name: PurchaseKey, of purchase: PurchaseID) throws(StoreError) {
        guard name.purchaseID != purchase else { return }
        try connection.execute(
            """
            INSERT INTO purchase_alias (name, bundle_id, environment, purchase_id)
            VALUES (\(name.purchaseID), \(name.bundleID), \(name.environment), \(purchase))
            ON CONFLICT (name, bundle_id, environment) DO NOTHING
            """
        )
    }
}

extension ClaimsV1.Claim {
    /// The claim of a transaction that was asked for by `id`.
    init(_ record: ClaimRecord, askedAs id: TransactionID) {
        self.init(
            transactionId: id,
            purchaseId: record.key.purchaseID,
            state: record.claim.state.name,
            signedDate: record.claim.facts?.signedDate ?? Timestamp(milliseconds: 0),
            isRevoked: record.claim.facts?.isRevoked ?? false,
            isWhole: record.claim.facts?.isWhole ?? false
        )
        if case .held(let holder) = record.claim.state { (buyerId, orderId) = (holder.buyer, holder.order) }
    }
}
