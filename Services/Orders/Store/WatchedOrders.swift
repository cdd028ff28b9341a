import Contracts
import Database
import OrdersCore

/// The open orders at which somebody looks again, and what there is to ask for their buyers with.
struct WatchedOrders {
    /// Whose orders are looked at together, as Apple is asked for one account of one app in one environment.
    struct Buyer: Hashable {
        let bundleID: BundleID
        let buyerID: BuyerID
        let environment: Environment
    }

    /// Orders of one buyer that one look moves on; the others have a look of their own at once.
    static let maximumOrders = 1_000

    private static let ofBuyer = "buyer_id = ? AND bundle_id = ? AND environment = ?"

    let connection: any Connection

    /// The orders whose looks come first, due or not.
    ///
    /// - Throws: `StoreError`.
    func first(_ count: Int) throws(StoreError) -> [(id: OrderID, dueAt: Timestamp)] {
        try connection.rows(
            "SELECT order_id, look_at FROM orders WHERE look_at IS NOT NULL ORDER BY look_at LIMIT ?",
            [Value(count)]
        ).map { row throws(StoreError) in
            (OrderID(unchecked: try row.text(0)), Timestamp(milliseconds: try row.integer(1)))
        }
    }

    /// Whose order it is; nil when no look at it is due: it is paid, closed or was looked at.
    ///
    /// - Throws: `StoreError`.
    func buyer(of order: OrderID, dueBy now: Timestamp) throws(StoreError) -> Buyer? {
        let row = try connection.row(
            "SELECT bundle_id, buyer_id, environment FROM orders WHERE order_id = ? AND look_at <= ?",
            [.text(order.rawValue), .integer(now.milliseconds)]
        )
        guard let row else { return nil }
        return Buyer(
            bundleID: BundleID(unchecked: try row.text(0)),
            buyerID: BuyerID(unchecked: try row.text(1)),
            environment: Environment(rawValue: try row.text(2))
        )
    }

    /// The buyer's orders at which a look is due until `time`, longest due first.
    ///
    /// - Throws: `StoreError`.
    func orders(
        of buyer: Buyer,
        dueBy time: Timestamp
    ) throws(StoreError) -> [(id: OrderID, watch: OrderWatch)] {
        try connection.rows(
            """
            SELECT order_id, issued_at, looks FROM orders \
            WHERE \(Self.ofBuyer) AND payment = 'issued' AND look_at <= ? ORDER BY look_at LIMIT ?
            """,
            buyer.values + [.integer(time.milliseconds), Value(Self.maximumOrders)]
        ).map { row throws(StoreError) in
            let issuedAt = Timestamp(milliseconds: try row.integer(1))
            let watch = OrderWatch(issuedAt: issuedAt, looks: try row.int(2))
            return (OrderID(unchecked: try row.text(0)), watch)
        }
    }

    /// When the oldest of the buyer's watched orders was issued.
    ///
    /// - Throws: `StoreError`.
    func oldestIssue(of buyer: Buyer) throws(StoreError) -> Timestamp? {
        let row = try connection.row(
            """
            SELECT MIN(issued_at) FROM orders \
            WHERE \(Self.ofBuyer) AND payment = 'issued' AND look_at IS NOT NULL
            """,
            buyer.values
        )
        return try row?.optionalInteger(0).map(Timestamp.init(milliseconds:))
    }

    /// The transaction with which the buyer has paid last.
    ///
    /// - Throws: `StoreError`.
    func newestTransaction(of buyer: Buyer) throws(StoreError) -> TransactionID? {
        let row = try connection.row(
            """
            SELECT transaction_id FROM orders WHERE \(Self.ofBuyer) AND payment = 'paid' \
            ORDER BY paid_at DESC LIMIT 1
            """,
            buyer.values
        )
        guard let row else { return nil }
        return TransactionID(unchecked: try row.text(0))
    }

    /// Writes the look that `watch` has taken since `before`.
    ///
    /// - Throws: `StoreError`; `corrupt` when the order is not watched as it was read.
    func moveOn(_ order: OrderID, from before: OrderWatch, to watch: OrderWatch) throws(StoreError) {
        try OrderStore(connection: connection).changeOne(
            "UPDATE orders SET look_at = ?, looks = ? WHERE order_id = ? AND look_at IS NOT NULL AND looks = ?",
            [
                Value(watch.dueAt?.milliseconds), Value(watch.looks), .text(order.rawValue),
                Value(before.looks),
            ]
        )
    }
}

extension WatchedOrders.Buyer {
    fileprivate var values: [Value] {
        [.text(buyerID.rawValue), .text(bundleID.rawValue), .text(environment.rawValue)]
    }
}
