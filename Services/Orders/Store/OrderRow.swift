import Contracts
import Database
import OrdersCore

extension Order {
    /// The columns that `init(row:)` reads, in its order.
    static let columns = """
        order_id, bundle_id, buyer_id, product_id, quantity, environment, reference, metadata, issued_at, \
        payment, close_reason, transaction_id, late, paid_at, fulfilment, granted_at, purchase_id
        """

    /// The order that a row holds.
    ///
    /// - Throws: `StoreError.corrupt` when the row holds none.
    init(row: Row) throws(StoreError) {
        guard let fulfilment = Fulfilment(rawValue: try row.text(14)) else {
            throw .corrupt("an order has an unknown fulfilment")
        }
        self.init(
            id: OrderID(unchecked: try row.text(0)),
            bundleID: BundleID(unchecked: try row.text(1)),
            buyerID: BuyerID(unchecked: try row.text(2)),
            content: try OrderContent(row: row),
            issuedAt: Timestamp(milliseconds: try row.integer(8)),
            payment: try Payment(row: row),
            paidAt: try row.optionalInteger(13).map(Timestamp.init(milliseconds:)),
            fulfilment: fulfilment,
            grantedAt: try row.optionalInteger(15).map(Timestamp.init(milliseconds:))
        )
    }
}

extension OrderContent {
    fileprivate init(row: Row) throws(StoreError) {
        var metadata: [String: JSONValue]?
        if let text = try row.optionalText(7) {
            metadata = try JSONColumn.value([String: JSONValue].self, text)
        }
        self.init(
            productID: ProductID(unchecked: try row.text(3)),
            quantity: try row.int(4),
            environment: Environment(rawValue: try row.text(5)),
            reference: try row.optionalText(6),
            metadata: metadata
        )
    }
}

extension Payment {
    fileprivate init(row: Row) throws(StoreError) {
        switch try row.text(9) {
        case "issued":
            self = .issued
        case "closed":
            guard let reason = OrderCloseReason(rawValue: try row.text(10)) else {
                throw .corrupt("an order was closed for an unknown reason")
            }
            self = .closed(reason)
        case "paid":
            let purchase = PaidPurchase(
                id: PurchaseID(unchecked: try row.text(16)),
                transactionID: TransactionID(unchecked: try row.text(11))
            )
            self = .paid(purchase, late: try row.integer(12) == 1)
        case let unknown:
            throw .corrupt("an order has the unknown payment \(unknown)")
        }
    }
}
