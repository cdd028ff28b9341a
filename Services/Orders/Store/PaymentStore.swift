import Contracts
import Database
import Delivery
import Domain

struct PaymentStore {
    /// Stands for the attempt of an order that a move has paid: proposals count from 1.
    static let attemptOfMove = 0

    let connection: any Connection

    private var orders: OrderStore { OrderStore(connection: connection) }

    func evidence(
        for candidate: ClaimCandidate,
        of transaction: TransactionFacts
    ) throws(StoreError) -> KnownOrders {
        if let payer = try orders.order(paidBy: transaction) { return KnownOrders(payer: payer) }
        var known = try evidence(namedBy: candidate, for: transaction)
        if let named = known.named, let limit = named.limit {
            known.paidUnits = try OrderListStore(connection: connection)
                .paidUnits(of: named.buyerID, in: named.bundleID, named.content, limit: limit)
        }
        return known
    }

    /// What a candidate names, whatever the purchase pays already.
    func evidence(
        namedBy candidate: ClaimCandidate,
        for transaction: TransactionFacts
    ) throws(StoreError) -> KnownOrders {
        var evidence = KnownOrders()
        switch candidate {
        case .token(let text):
            if let id = OrderID(rawValue: text) { evidence.named = try orders.order(id) }
            // No token is both an order's and a buyer's own.
            if evidence.named == nil, let token = AccountToken(rawValue: text) {
                let tokens = TokenStore(connection: connection)
                evidence.tokenOwner = try tokens.owner(of: token, in: transaction.bundleId)
            }
        case .order(let id):
            evidence.named = try orders.order(id)
        case .holder:
            // Nobody placed an order for a renewal.
            break
        case .registered(let buyer), .caller(let buyer):
            evidence.named = try orders.oldestUnpaid(of: buyer, for: transaction)
        }
        return evidence
    }

    /// The evidence for a move: the order that it names, or else the one that its signed token names.
    func evidence(for moved: ClaimMovedV1) throws(StoreError) -> KnownOrders {
        let order = moved.orderId ?? moved.transaction.tokenOrder
        return try evidence(
            for: order.map(ClaimCandidate.order) ?? .holder(moved.buyerId),
            of: moved.transaction
        )
    }

    /// The evidence for a held claim, of which the store knows nothing only if it is an older copy.
    ///
    /// If the purchase pays another order than the claim's, that one is read, too: it may have lost it.
    func evidence(for update: TransactionUpdatedV1) throws(StoreError) -> KnownOrders {
        let facts = update.transaction
        var evidence = try evidence(for: .order(update.orderId), of: facts)
        if let other = evidence.payer, other.id != update.orderId {
            evidence.named = try orders.order(update.orderId)
        }
        let payer = update.transferred?.payerId ?? update.buyerId
        guard evidence == KnownOrders(), facts.environment == .sandbox, let token = facts.tokenOrder,
            let order = try orders.order(token), order.buyerID == payer
        else { return evidence }
        evidence.tokenOrder = order
        return evidence
    }

    /// Stores a paid order; `attempt` is the answered proposal or `attemptOfMove`, nil when an update restored the
    /// payment.
    func pay(
        _ order: Order,
        with transaction: TransactionFacts,
        attempt: Int?,
        _ entry: Trace.Entry
    ) throws {
        guard case .paid(_, let before) = order.payment else {
            throw StoreError.corrupt("an order is to be stored as paid that is not")
        }
        let (recency, released) = (transaction.recency, order.released)
        try orders.changeOne(
            """
            UPDATE orders SET payment = 'paid', unpaid_as = \(before.payment.word),
              purchase_id = \(transaction.purchaseId), transaction_id = \(transaction.transactionId),
              late = \(order.payment.isLate), over_limit = \(order.isOverLimit),
              released_purchase_id = \(released?.purchase.id),
              released_transaction_id = \(released?.purchase.transactionID),
              released_transfers = \(released?.transfer),
              paid_at = \(entry.time), held_by = \(order.evidence), attempt = \(attempt), claim_event = \(entry.id),
              claim_cause = \(entry.causationid), facts = \(try JSONColumn.text(transaction)),
              signed_date = \(recency.signedDate), revoked = \(recency.isRevoked), lookup_at = NULL
            WHERE order_id = \(order.id) AND payment NOT IN ('paid', 'void')
            """
        )
    }

    /// Adds a paid order that was made on the spot.
    func addPaid(
        _ order: Order,
        with transaction: TransactionFacts,
        attempt: Int?,
        _ entry: Trace.Entry
    ) throws {
        guard try orders.add(order, metadata: nil, idempotencyKey: nil, nil) else {
            throw StoreError.corrupt("a new order's id is taken")
        }
        try pay(order, with: transaction, attempt: attempt, entry)
    }

    /// Stores newer facts of the transaction that pays `order`, or those that say whose it is where the stored ones do
    /// not; others change nothing.
    func update(_ order: Order, _ transaction: TransactionFacts, _ entry: Trace.Entry) throws {
        let (recency, known) = (transaction.recency, try self.recency(of: order))
        let completes = try recency == known && transaction.isWhole && !facts(of: order).isWhole
        guard recency > known || completes else { return }
        try orders.changeOne(
            """
            UPDATE orders SET facts = \(try JSONColumn.text(transaction)), signed_date = \(recency.signedDate),
              revoked = \(recency.isRevoked), updated_at = \(entry.time), update_event = \(entry.id),
              update_cause = \(entry.causationid)
            WHERE order_id = \(order.id) AND payment = 'paid'
            """
        )
    }

    /// Stores the later transfer by which the purchase of an order has come to its holder.
    func move(_ order: Order) throws(StoreError) {
        try orders.changeOne(
            """
            UPDATE orders SET holder_id = \(order.holder), transfers = \(order.move?.transfers)
            WHERE order_id = \(order.id) AND payment = 'paid' AND COALESCE(transfers, 0) < \(order.move?.transfers)
            """
        )
    }

    /// Stores an order that has lost its purchase; returns when something is due of it, nil if nothing is.
    ///
    /// What the row knew of the payment goes; the purchase and the transfer stay.
    func release(_ order: Order, at now: Timestamp) throws(StoreError) -> Timestamp? {
        guard let released = order.released else { throw .corrupt("an order has lost no purchase") }
        let lookups: Int? = try connection.value("SELECT lookups FROM orders WHERE order_id = \(order.id)")
        let lookupAt = PaymentLookupSchedule.nextLookup(of: order, after: lookups ?? 0, now: now)
        try orders.changeOne(
            """
            UPDATE orders SET payment = unpaid_as, unpaid_as = NULL, purchase_id = NULL, transaction_id = NULL,
              late = 0, over_limit = 0, paid_at = NULL, held_by = NULL, attempt = NULL, claim_event = NULL, claim_cause = NULL,
              facts = NULL, signed_date = NULL, revoked = NULL, updated_at = NULL, update_event = NULL,
              update_cause = NULL, holder_id = NULL, transfers = NULL, fulfilment = 'none', granted_at = NULL,
              recorded_at = NULL, record_event = NULL, record_cause = NULL, released_purchase_id = purchase_id,
              released_transaction_id = transaction_id, released_transfers = \(released.transfer),
              lookup_at = \(lookupAt)
            WHERE order_id = \(order.id) AND payment = 'paid' AND unpaid_as = \(order.payment.word)
              AND purchase_id = \(released.purchase.id) AND COALESCE(transfers, 0) < \(released.transfer)
            """
        )
        return lookupAt
    }

    /// The facts with which an order was paid, or newer ones.
    func facts(of order: Order) throws -> TransactionFacts {
        let text: String? = try connection.value("SELECT facts FROM orders WHERE order_id = \(order.id)")
        return try JSONColumn.value(of: text ?? "")
    }

    private func recency(of order: Order) throws(StoreError) -> Recency {
        let row = try connection.row(
            "SELECT signed_date, revoked FROM orders WHERE order_id = \(order.id) AND payment = 'paid'"
        )
        guard let row else { throw .corrupt("a paid order is not in the store") }
        return Recency(signedDate: try row["signed_date"], isRevoked: try row["revoked"])
    }

    // MARK: Redrive

    static let pageRows = 500

    /// Paid orders, as Receipts and Entitlements are told of them again.
    func page(
        after id: String
    ) throws(StoreError) -> [(claim: ClaimRedrivenV1, grants: [PurchaseReportedV1])] {
        try connection.rows(
            """
            SELECT \(raw: Order.columns), facts, attempt FROM orders WHERE payment = 'paid' AND order_id > \(id)
            ORDER BY order_id LIMIT \(Self.pageRows)
            """
        ) { row throws(StoreError) in
            let (order, attempt): (Order, Int?) = (try Order(row), try row["attempt"])
            let facts: TransactionFacts = try JSONColumn.value(of: row["facts"])
            let claim = ClaimRedrivenV1(
                attempt: attempt ?? 0,
                transaction: facts,
                buyerId: order.holder,
                orderId: order.id,
                evidence: order.evidence ?? .known,
                transferred: order.transferred
            )
            return (claim, PurchaseReportedV1.reports(order, transaction: facts, submission: nil))
        }
    }
}
