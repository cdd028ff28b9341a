import Contracts
import Database
import Domain
import OrdersCore

/// What the judgement of a claim needs of the store, and what it leaves there.
struct PaymentStore {
    let connection: any Connection

    private var orders: OrderStore { OrderStore(connection: connection) }

    /// What is known about a proposed claim.
    ///
    /// - Throws: `StoreError`.
    func evidence(
        for candidate: ClaimCandidate,
        of transaction: TransactionFacts
    ) throws(StoreError) -> ClaimEvidence {
        if let payer = try orders.order(paidBy: transaction) { return ClaimEvidence(payer: payer) }
        switch candidate {
        case .token(let token):
            return try evidence(forToken: token, of: transaction)
        case .order(let id):
            return ClaimEvidence(named: try orders.order(id))
        case .registered(let buyer), .caller(let buyer):
            return ClaimEvidence(named: try orders.oldestOpen(of: buyer, for: transaction))
        }
    }

    private func evidence(
        forToken token: String,
        of transaction: TransactionFacts
    ) throws(StoreError) -> ClaimEvidence {
        if let id = OrderID(rawValue: token), let order = try orders.order(id),
            order.bundleID == transaction.bundleId
        {
            return ClaimEvidence(named: order)
        }
        let tokens = TokenStore(connection: connection)
        guard let token = AccountToken(token) else { return ClaimEvidence() }
        return ClaimEvidence(tokenOwner: try tokens.owner(of: token, in: transaction.bundleId))
    }

    /// Marks a stored order as paid.
    ///
    /// `order` is the order as it is, paid; `attempt` the proposal that was answered, nil when a restated
    /// transaction brought the payment back.
    ///
    /// - Throws: `StoreError`, or `EncodingError` when the facts have no JSON form.
    func pay(_ order: Order, with transaction: TransactionFacts, attempt: Int?, _ step: Step) throws {
        let late = order.terms.late == true
        try orders.changeOne(
            """
            UPDATE orders SET payment = 'paid', purchase_id = ?, transaction_id = ?, late = ?, paid_at = ?, attempt = ?, \
            claim_event = ?, claim_cause = ?, facts = ?, signed_date = ?, revoked = ?, look_at = NULL \
            WHERE order_id = ? AND payment IN ('issued', 'closed')
            """,
            [
                .text(transaction.purchaseId.rawValue), .text(transaction.transactionId.rawValue),
                Value(late), .integer(step.time.milliseconds),
                Value(attempt), .text(step.event.rawValue), Value(step.cause?.rawValue),
                .text(try JSONColumn.text(transaction)), .integer(transaction.signedDate.milliseconds),
                Value(transaction.recency.isRevoked), .text(order.id.rawValue),
            ]
        )
    }

    /// Adds an order that was made on the spot, paid.
    ///
    /// - Throws: `StoreError`, or `EncodingError` when the facts have no JSON form.
    func addPaid(_ order: Order, with transaction: TransactionFacts, attempt: Int?, _ step: Step) throws {
        guard try orders.add(order, metadata: nil, idempotencyKey: nil, nil) else {
            throw StoreError.corrupt("a new order's id is taken")
        }
        try pay(order, with: transaction, attempt: attempt, step)
    }

    /// Keeps a newer statement about the transaction that pays `order`.
    ///
    /// - Throws: `StoreError`, or `EncodingError` when the facts have no JSON form.
    func restate(_ order: Order, _ transaction: TransactionFacts, _ step: Step) throws {
        guard transaction.recency > (try recency(of: order)) else { return }
        try orders.changeOne(
            """
            UPDATE orders SET facts = ?, signed_date = ?, revoked = ?, restated_at = ?, restate_event = ?, \
            restate_cause = ? WHERE order_id = ? AND payment = 'paid'
            """,
            [
                .text(try JSONColumn.text(transaction)), .integer(transaction.signedDate.milliseconds),
                Value(transaction.recency.isRevoked), .integer(step.time.milliseconds),
                .text(step.event.rawValue),
                Value(step.cause?.rawValue), .text(order.id.rawValue),
            ]
        )
    }

    private func recency(of order: Order) throws(StoreError) -> Recency {
        let row = try connection.row(
            "SELECT signed_date, revoked FROM orders WHERE order_id = ? AND payment = 'paid'",
            [.text(order.id.rawValue)]
        )
        guard let row else { throw .corrupt("a paid order is not in the store") }
        let signedDate = Timestamp(milliseconds: try row.integer(0))
        return Recency(signedDate: signedDate, isRevoked: try row.integer(1) == 1)
    }
}
