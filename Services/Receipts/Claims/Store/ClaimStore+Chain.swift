import Contracts
import Database
import Delivery
import Domain

/// The claims of a subscription's periods, which lie in one partition.
extension ClaimStore {
    /// Most orphans of a chain that one answer of Orders helps on; the next answer helps the others.
    static let maximumOrphans = 100
    /// Most later periods of a chain that move with one; the others are past by years.
    static let maximumTransferred = 500

    /// Who holds the chain of a claim's transaction; nil if it is in no chain, as most purchases, or if the chain does
    /// not say whose the transaction is (`ChainHolder`).
    ///
    /// `isRefused` says that the last candidate was refused. Then the chain is read even if no other period of it is
    /// known: if it replaces another chain, the holder of that one may be the next candidate.
    func chain(
        of record: ClaimRecord,
        incoming: SignedTransaction?,
        isRefused: Bool = false
    ) throws -> ChainHolder? {
        let chains = PreviousChainStore(connection: connection)
        guard
            try record.mayHaveOthers || incoming?.isPeriod == true
                || isRefused && chains.contains(record.chainPurchase)
        else { return nil }
        var signed = try incoming ?? self.signed(record.key)
        if incoming != nil, record.stored != nil {
            signed = signed.completed(by: try self.signed(record.key))
        }
        guard signed.isPeriod, signed.inAppOwnershipType != Ownership.assigned else { return nil }
        let periods = try neighbours(of: record, withEnds: signed.isAddition) + replaced(by: signed, record)
        return ChainHolder(of: signed, among: periods)
    }

    /// The last period of the chain that the transaction's chain replaces, if somebody holds it; of a renewal it comes
    /// before all periods of its own chain.
    private func replaced(
        by signed: SignedTransaction,
        _ record: ClaimRecord
    ) throws(StoreError) -> [ChainHolder.Period] {
        guard let previous = signed.replacedChain else { return [] }
        let known = try PreviousChainStore(connection: connection)
            .state(of: previous, replacedBy: record.chainPurchase)
        guard let holder = known.holder else { return [] }
        let date = signed.isContinuation ? Timestamp(milliseconds: 0) : holder.purchasedAt
        return [ChainHolder.Period(purchasedAt: date, buyer: holder.buyer)]
    }

    /// The period before that of `record`, and if nobody has it, the last one that somebody holds or is asked for; the
    /// first held one after it, and a first one without `webOrderLineItemId`.
    private func neighbours(of record: ClaimRecord, withEnds: Bool) throws -> [ChainHolder.Period] {
        let (own, time) = (record.key.purchaseID, record.purchasedAt)
        let others: SQL = "\(record.chainCondition) AND purchase_id <> \(own)"
        let before: SQL = "\(others) AND purchased_at <= \(time)"
        var queries: [SQL] = [
            "\(before) ORDER BY purchased_at DESC LIMIT 1",
            "\(others) AND purchased_at > \(time) AND state = 'held' ORDER BY purchased_at LIMIT 1",
        ]
        if record.hasChain {
            queries.append(record.chainKey.first.condition)
        }
        let periods = try queries.flatMap { try self.periods($0, withEnds: withEnds) }
        guard periods.contains(where: { $0.purchasedAt <= time && $0.isOrphan }) else { return periods }
        return try periods
            + self.periods(
                "\(before) AND state <> 'orphan' ORDER BY purchased_at DESC LIMIT 1",
                withEnds: withEnds
            )
    }

    private func periods(_ condition: SQL, withEnds: Bool = false) throws -> [ChainHolder.Period] {
        // The statement itself is long, and seldom needed.
        let columns =
            "purchased_at, buyer_id, state, whole, token, candidate_kind, candidate"
            + (withEnds ? ", signed_transaction" : "")
        return try connection.rows("SELECT \(raw: columns) FROM claim WHERE \(condition)").map { row in
            let (state, kind): (String, String?) = (try row["state"], try row["candidate_kind"])
            var period = ChainHolder.Period(
                purchasedAt: try row["purchased_at"],
                buyer: try row["buyer_id"],
                isProposed: state == "proposed",
                isWaiting: state == "waiting",
                isOrphan: state == "orphan",
                isWhole: try row["whole"],
                token: try row["token"]
            )
            if ["registered", "holder", "caller"].contains(kind) { period.candidate = try row["candidate"] }
            if withEnds {
                let signed: SignedTransaction = try JSONColumn.value(of: row["signed_transaction"])
                period.expires = signed.expiresDate.map(Timestamp.init(milliseconds:))
            }
            return period
        }
    }

    /// The held periods of a chain before and after that of `record`.
    func heldNeighbours(
        of record: ClaimRecord
    ) throws(StoreError) -> (before: SubscriptionNews.Period?, after: SubscriptionNews.Period?) {
        if try isAlone(record) { return (nil, nil) }
        let held: SQL = "\(record.chainCondition) AND state = 'held' AND (purchased_at, purchase_id)"
        let order = "ORDER BY purchased_at"
        var before = try period("\(held) < \(record.place) \(raw: order) DESC, purchase_id DESC LIMIT 1")
        var after = try period("\(held) > \(record.place) \(raw: order), purchase_id LIMIT 1")
        guard record.hasChain else { return (before, after) }
        if let first = try period("\(record.chainKey.first.condition) AND state = 'held'") {
            let (date, id) = (record.purchasedAt, record.key.purchaseID)
            if (first.purchaseDate, first.purchaseId) < (date, id) {
                before = before ?? first
            } else {
                after = [after, first].compactMap(\.self).min { $0.purchaseDate < $1.purchaseDate }
            }
        }
        return (before, after)
    }

    /// What is known of the transfers of the chain of `record`, or of the purchase alone.
    func transferHistory(of record: ClaimRecord, now: Timestamp) throws(StoreError) -> Transfer.History {
        var history = Transfer.History(now: now)
        for condition in [record.chainKey.first.condition, record.chainCondition] {
            let row = try connection.row(
                """
                SELECT MAX(transferred_at) AS moved_at, MAX(transfer_to) AS requester FROM claim WHERE \(condition)
                """
            )
            guard let row else { continue }
            let (movedAt, requester): (Timestamp?, BuyerID?) = (try row["moved_at"], try row["requester"])
            history.movedAt = [history.movedAt, movedAt].compactMap(\.self).max()
            history.requester = history.requester ?? requester
        }
        return history
    }

    /// The periods of the chain of `record` that a buyer holds, that begin later and that no restore has asked for,
    /// newest first.
    func periods(after record: ClaimRecord, heldBy buyer: BuyerID) throws(StoreError) -> [ClaimRecord] {
        try records(
            """
            \(record.chainCondition) AND (purchased_at, purchase_id) > \(record.place)
              AND state = 'held' AND buyer_id = \(buyer) AND transfer_to IS NULL
            ORDER BY purchased_at DESC LIMIT \(Self.maximumTransferred)
            """
        )
    }

    /// Who holds what comes before `record` by Apple's word or an operator's: the chain that it replaces, or else the
    /// period before it; nil if a hint has given it.
    func signedForerunner(of record: ClaimRecord) throws -> BuyerID? {
        guard record.mayHaveOthers, !record.isAssigned else { return nil }
        let replaced = try PreviousChainStore(connection: connection).signedHolders(
            replacedBy: record.chainKey
        )
        if let own = replaced[record.key.purchaseID], try isLast(own, before: record) { return own.buyer }
        return try signedHolder(before: record, replaced)
    }

    /// Whether no held period of its own chain comes between the chain that `record` replaces and itself; a renewal
    /// comes after all of its own.
    private func isLast(_ replaced: PreviousChain.Holder, before record: ClaimRecord) throws -> Bool {
        let start = try signed(record.key).isContinuation ? Timestamp(milliseconds: 0) : replaced.purchasedAt
        return try !connection.exists("claim WHERE \(record.heldBefore) AND purchased_at >= \(start)")
    }

    /// A renewal that is its holder's because the one before it is has it by that one's evidence, and one that replaces
    /// another chain by that of the other one (`replaced`).
    private func signedHolder(
        before record: ClaimRecord,
        _ replaced: [PurchaseID: PreviousChain.Holder]
    ) throws(StoreError) -> BuyerID? {
        if try isAlone(record) { return nil }
        var holder: BuyerID?
        let rows = try connection.rows(
            """
            SELECT purchase_id, buyer_id, payer_id, held_by FROM claim
            WHERE \(record.heldBefore)
            ORDER BY purchased_at DESC, purchase_id DESC LIMIT \(Self.maximumTransferred)
            """
        )
        for row in rows {
            let (purchase, buyer): (PurchaseID, BuyerID) = (try row["purchase_id"], try row["buyer_id"])
            let payer: BuyerID? = try row["payer_id"]
            holder = holder ?? buyer
            // What a restore has moved, nobody has by Apple's word.
            guard buyer == holder, payer == nil || payer == buyer else { return nil }
            switch try row["held_by"] as HolderEvidence {
            case .holder: if replaced[purchase]?.buyer == buyer { return buyer }
            case .token, .registered, .reassigned: return buyer
            case .order, .caller, .known: return nil
            }
        }
        return nil
    }

    /// The next held period of a chain; nil if there is none.
    func follower(of record: ClaimRecord) throws(StoreError) -> ClaimRecord? {
        if try isAlone(record) { return nil }
        return try records(
            """
            \(record.chainCondition) AND purchased_at > \(record.purchasedAt) AND state = 'held'
            ORDER BY purchased_at LIMIT 1
            """
        ).first
    }

    /// Who holds the last period of a chain, and whether by Apple's signed token: a later period that is held with the
    /// chain has it by that of the one before it, one that replaces another chain by that of the other one, and what a
    /// restore has moved has it by none.
    ///
    /// With a time, of the periods that were bought by then.
    func lastHolder(
        of chain: ChainKey,
        by time: Timestamp? = nil
    ) throws(StoreError) -> PreviousChain.Holder? {
        let bought: SQL = time.map { "purchased_at <= \($0)" } ?? "TRUE"
        let replaced = try PreviousChainStore(connection: connection).signedHolders(replacedBy: chain)
        var last: PreviousChain.Holder?
        for condition in [
            """
            \(chain.condition) AND purchase_id <> original_transaction_id AND assigned = 0 AND state = 'held'
              AND \(bought) ORDER BY purchased_at DESC, purchase_id DESC LIMIT \(Self.maximumTransferred)
            """,
            "\(chain.first.condition) AND state = 'held' AND \(bought)",
        ] as [SQL] {
            let rows = try connection.rows(
                "SELECT purchase_id, purchased_at, buyer_id, payer_id, held_by FROM claim WHERE \(condition)"
            )
            for row in rows {
                let (buyer, payer): (BuyerID, BuyerID?) = (try row["buyer_id"], try row["payer_id"])
                let (purchase, purchasedAt): (PurchaseID, Timestamp) =
                    (try row["purchase_id"], try row["purchased_at"])
                let holder =
                    last ?? PreviousChain.Holder(buyer: buyer, purchasedAt: purchasedAt, isSigned: false)
                last = holder
                guard buyer == holder.buyer, payer == nil || payer == buyer else { return holder }
                switch try row["held_by"] as HolderEvidence? {
                case .holder: if replaced[purchase]?.buyer == buyer { return holder.signed }
                case .token, .registered: return holder.signed
                case .order, .caller, .known, .reassigned, nil: return holder
                }
            }
        }
        return last
    }

    /// Whether a purchase of a chain that was bought by a time waits until it is known whose it is, or may turn out to
    /// be another buyer's (`Claim.isUndecided`).
    func isOpen(_ chain: ChainKey, by time: Timestamp) throws(StoreError) -> Bool {
        let open: SQL = """
            purchased_at <= \(time) AND assigned = 0 AND (state IN ('waiting', 'proposed')
              OR state = 'held' AND (challenge IS NOT NULL
                OR whole = 0 AND evidence IN ('awaited', 'pressed', 'overdue') AND \(raw: Self.isHeldByHint)))
            """
        for condition in [
            "\(chain.first.condition) AND period = 1",
            "\(chain.condition) AND purchase_id <> original_transaction_id",
        ] as [SQL]
        where try connection.exists("claim WHERE \(condition) AND \(open)") {
            return true
        }
        return false
    }

    private func period(_ condition: SQL) throws(StoreError) -> SubscriptionNews.Period? {
        try connection.row("SELECT purchase_id, purchased_at, buyer_id FROM claim WHERE \(condition)") {
            row throws(StoreError) in
            SubscriptionNews.Period(
                purchaseId: try row["purchase_id"],
                purchaseDate: try row["purchased_at"],
                holder: try row["buyer_id"]
            )
        }
    }

    /// Whether a purchase that is known by its original id has no further periods, as most purchases have none, or has
    /// no part in its chain.
    private func isAlone(_ record: ClaimRecord) throws(StoreError) -> Bool {
        guard record.mayHaveOthers, !record.isAssigned else { return true }
        guard !record.hasChain else { return false }
        return try !connection.exists("claim WHERE \(record.chainCondition)")
    }

    /// Periods without holder or proposal that a decided one helps on, oldest first: a held one all of its chain, an
    /// orphan, and one that waits for Apple now, only those after it, so that they do not help each other for ever.
    func orphans(beside record: ClaimRecord) throws(StoreError) -> [ClaimRecord] {
        let start: Timestamp
        switch record.claim.state {
        case .held: start = Timestamp(milliseconds: 0)
        case .orphan, .waiting: start = record.purchasedAt.advanced(by: 1)
        case .unclaimed, .lookingUp, .proposed: return []
        }
        if try isAlone(record) { return [] }
        let orphans: SQL = "purchased_at >= \(start) AND state = 'orphan'"
        return try records("\(record.chainKey.first.condition) AND \(orphans)")
            + records(
                "\(record.chainCondition) AND \(orphans) ORDER BY purchased_at LIMIT \(Self.maximumOrphans)"
            )
    }
}

extension ClaimRecord {
    fileprivate var hasChain: Bool { key.purchaseID.rawValue != originalTransactionID.rawValue }

    var chainKey: ChainKey { ChainKey(key.environment, key.bundleID, originalTransactionID) }

    var chainPurchase: ChainPurchase { ChainPurchase(chainKey, key.purchaseID) }

    /// Whether its chain may have other periods, which most purchases have not.
    ///
    /// A first period without `webOrderLineItemId` is known by its key.
    var mayHaveOthers: Bool { hasChain || claim.facts?.isPeriod == true }

    /// Whether it is a member's copy of a seat, which has no part in the chain whose id it states.
    fileprivate var isAssigned: Bool { claim.facts?.isAssigned ?? false }

    /// The rows of the index `claim_chain` that have a part in the chain.
    fileprivate var chainCondition: SQL {
        """
        original_transaction_id = \(originalTransactionID) AND purchase_id <> original_transaction_id
          AND bundle_id = \(key.bundleID) AND environment = \(key.environment) AND assigned = 0
        """
    }

    /// Where it stands among the periods of its chain.
    fileprivate var place: SQL { "(\(purchasedAt), \(key.purchaseID))" }

    /// The held periods of its chain before it.
    fileprivate var heldBefore: SQL {
        """
        (\(chainCondition) OR \(chainKey.first.condition)) AND state = 'held' AND (purchased_at, purchase_id) < \(place)
        """
    }
}
