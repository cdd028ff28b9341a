import Contracts
import Database
import Delivery
import Domain

extension CompensationV1.State: ValueConvertible {}
extension CompensationBasis.Kind: ValueConvertible {}

/// What operators have proposed and confirmed for buyers.
struct CompensationStore {
    static let stands: SQL = "(state = 'proposed' OR state = 'granted')"

    let connection: any Connection

    func compensation(_ id: ProposalID) throws(StoreError) -> Compensation? {
        try connection.row("SELECT document FROM compensation WHERE proposal_id = \(id)", Self.compensation)
    }

    /// The compensation that stands on an order, or on Apple's order, of a buyer.
    func current(on basis: CompensationBasis, _ buyer: BuyerKey) throws(StoreError) -> Compensation? {
        switch basis.kind {
        case .order: try current(on: basis.orderId)
        case .appleOrder:
            try connection.row(
                """
                SELECT document FROM compensation
                WHERE bundle_id = \(buyer.bundleId) AND apple_order_id = \(basis.appleOrderId) AND \(Self.stands)
                """,
                Self.compensation
            )
        case .goodwill: nil
        }
    }

    /// Whether this partition has any that counts; it mostly has none, and then a purchase asks for nothing else.
    func hasAny() throws(StoreError) -> Bool { try connection.row(Self.first) != nil }

    /// One row of the index, which has those that count alone.
    static let first: SQL =
        "SELECT 1 FROM compensation INDEXED BY compensation_one_per_order WHERE \(stands) LIMIT 1"

    /// Those whose order a proof names, or whose transaction or purchase it is.
    func current(for facts: TransactionFacts, naming order: OrderID?) throws(StoreError) -> [Compensation] {
        let named = try current(on: order).map { [$0] } ?? []
        return named
            + (try connection.rows(Self.named(by: facts), Self.compensation))
    }

    /// Those that name the transaction, or its purchase.
    static func named(by facts: TransactionFacts) -> SQL {
        """
        SELECT document FROM compensation WHERE \(stands) AND proposal_id IN (
          SELECT proposal_id FROM compensation_name
          WHERE name IN (\(facts.transactionId.rawValue), \(facts.purchaseId.rawValue))
            AND bundle_id = \(facts.bundleId)
        )
        """
    }

    /// Those that stand confirmed on any order of a buyer, or any of Apple's, of a product.
    func onOrders(of buyer: BuyerKey, _ product: ProductID) throws(StoreError) -> [Compensation] {
        try connection.rows(
            """
            SELECT document FROM compensation
            WHERE \(Self.isOfBuyer(buyer)) AND basis <> 'goodwill' AND state = 'granted'
            """,
            Self.compensation
        ).filter { $0.content.productId == product && $0.content.environment == buyer.environment }
    }

    static func isOfBuyer(_ buyer: BuyerKey) -> SQL {
        "bundle_id = \(buyer.bundleId) AND buyer_id = \(buyer.buyerId)"
    }

    private func current(on order: OrderID?) throws(StoreError) -> Compensation? {
        guard let order else { return nil }
        return try connection.row(
            "SELECT document FROM compensation WHERE order_id = \(order) AND \(Self.stands)",
            Self.compensation
        )
    }

    func add(_ compensation: Compensation) throws {
        let content = compensation.content
        try connection.execute(
            """
            INSERT INTO compensation (proposal_id, bundle_id, buyer_id, basis, order_id, apple_order_id, state,
              proposed_at, document)
            VALUES (\(content.proposalId), \(content.bundleId), \(content.buyerId), \(content.basis.kind),
              \(content.basis.orderId), \(content.basis.appleOrderId), \(content.state),
              \(content.proposedAt), \(try JSONColumn.text(content)))
            """
        )
        let orders = [content.basis.orderId?.rawValue, content.basis.appleOrderId?.rawValue]
        let names = orders.compactMap(\.self) + (content.basis.transactionIds ?? []).map(\.rawValue)
        try add(names, of: compensation)
    }

    /// Adds names of its order, or of the transactions and purchases that the order has.
    func add(_ names: [String], of compensation: Compensation) throws(StoreError) {
        for name in Set(names).sorted() {
            try connection.execute(
                """
                INSERT INTO compensation_name (name, bundle_id, proposal_id)
                VALUES (\(name), \(compensation.content.bundleId), \(compensation.content.proposalId))
                ON CONFLICT (name, bundle_id, proposal_id) DO NOTHING
                """
            )
        }
    }

    /// Stores what an event has made of a compensation that was in the state `before`.
    func save(_ compensation: Compensation, over before: CompensationV1.State) throws {
        let content = compensation.content
        let changed = try connection.execute(
            """
            UPDATE compensation SET state = \(content.state), document = \(try JSONColumn.text(content))
            WHERE proposal_id = \(content.proposalId) AND state = \(before)
            """
        )
        guard changed == 1 else {
            throw StoreError.corrupt("a compensation is not in the state it was read in")
        }
    }

    /// Whether that on which it stands has given the buyer goods already; what stood for its payment does not count.
    func isGranted(_ content: CompensationV1) throws(StoreError) -> Bool {
        let buyer = BuyerKey(content.bundleId, content.buyerId, content.environment)
        switch content.basis.kind {
        case .order:
            guard let order = content.basis.orderId else { return false }
            return try isGranted(order, to: buyer)
        case .appleOrder:
            for transaction in content.basis.transactionIds ?? []
            where try isGranted(PurchaseID(unchecked: transaction.rawValue), to: buyer) { return true }
            return false
        case .goodwill: return false
        }
    }

    /// The purchases in a buyer's ledger that pay the order on which a compensation stands, or are of Apple's.
    func purchases(of basis: CompensationBasis, _ buyer: BuyerKey) throws(StoreError) -> [PurchaseID] {
        guard let order = basis.orderId else {
            return (basis.transactionIds ?? []).map { PurchaseID($0) }
        }
        return try connection.rows(
            """
            SELECT DISTINCT grants.purchase_id AS purchase_id FROM ledger JOIN grants
              ON grants.purchase_id = ledger.purchase_id
              AND grants.environment = ledger.environment AND grants.bundle_id = ledger.bundle_id
              AND grants.buyer_id = ledger.buyer_id
            WHERE ledger.bundle_id = \(buyer.bundleId) AND ledger.buyer_id = \(buyer.buyerId)
              AND ledger.kind = 'grant' AND grants.order_id = \(order)
              AND ledger.purchase_id NOT LIKE \(PurchaseID.compensationPrefix + "%")
            """
        ) { row throws(StoreError) in try row["purchase_id"] }
    }

    private func isGranted(_ order: OrderID, to buyer: BuyerKey) throws(StoreError) -> Bool {
        try connection.row(
            """
            SELECT 1 FROM ledger JOIN grants ON grants.purchase_id = ledger.purchase_id
              AND grants.environment = ledger.environment AND grants.bundle_id = ledger.bundle_id
              AND grants.buyer_id = ledger.buyer_id
            WHERE ledger.bundle_id = \(buyer.bundleId) AND ledger.buyer_id = \(buyer.buyerId)
              AND ledger.kind = 'grant' AND grants.order_id = \(order)
              AND ledger.purchase_id NOT LIKE \(PurchaseID.compensationPrefix + "%") LIMIT 1
            """
        ) != nil
    }

    private func isGranted(_ purchase: PurchaseID, to buyer: BuyerKey) throws(StoreError) -> Bool {
        try connection.row(
            """
            SELECT 1 FROM ledger
            WHERE kind = 'grant' AND purchase_id = \(purchase) AND \(buyer.condition) LIMIT 1
            """
        ) != nil
    }

    private static func compensation(_ row: Row) throws(StoreError) -> Compensation {
        Compensation(try JSONColumn.value(of: row["document"]))
    }
}
