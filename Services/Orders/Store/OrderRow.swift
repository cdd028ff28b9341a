import Contracts
import Database
import Delivery

extension Order {
    static let columns = """
        order_id, bundle_id, buyer_id, product_id, quantity, environment, reference, metadata, issued_by, issued_at,
          payment, close_reason, transaction_id, unpaid_as, paid_at, fulfilment, granted_at, purchase_id,
          unit_limit, over_limit, sandbox_of, held_by, holder_id, transfers, origin, error_domain, error_code,
          released_purchase_id, released_transaction_id, released_transfers
        """

    init(_ row: Row) throws(StoreError) {
        self.init(
            id: try row["order_id"],
            bundleID: try row["bundle_id"],
            buyerID: try row["buyer_id"],
            content: try OrderContent(row),
            issuedAt: try row["issued_at"],
            origin: try row["origin"],
            limit: try row["unit_limit"],
            move: try OrderMove(row),
            sandboxOf: try row["sandbox_of"],
            evidence: try row["held_by"],
            released: try ReleasedPurchase(row),
            payment: try Payment(row),
            paidAt: try row["paid_at"],
            isOverLimit: try row["over_limit"],
            fulfilment: try row["fulfilment"],
            grantedAt: try row["granted_at"],
            reportedError: try ReportedError(row)
        )
    }
}

extension OrderMove {
    /// Nil of a purchase that its buyer holds.
    fileprivate init?(_ row: Row) throws(StoreError) {
        guard let holder: BuyerID = try row["holder_id"] else { return nil }
        self.init(holder: holder, transfers: try row["transfers"])
    }
}

extension ReleasedPurchase {
    /// Nil of an order that has lost none.
    fileprivate init?(_ row: Row) throws(StoreError) {
        guard let id: PurchaseID = try row["released_purchase_id"] else { return nil }
        let purchase = PaidPurchase(id: id, transactionID: try row["released_transaction_id"])
        self.init(purchase: purchase, transfer: try row["released_transfers"])
    }
}

extension OrderContent {
    fileprivate init(_ row: Row) throws(StoreError) {
        var metadata: [String: JSONValue]?
        if let text: String = try row["metadata"] { metadata = try JSONColumn.value(of: text) }
        self.init(
            productID: try row["product_id"],
            quantity: try row["quantity"],
            environment: try row["environment"],
            reference: try row["reference"],
            metadata: metadata,
            issuedBy: try row["issued_by"]
        )
    }
}

extension ReportedError {
    /// Nil when the phone has named none.
    fileprivate init?(_ row: Row) throws(StoreError) {
        self.init(domain: try row["error_domain"], code: try row["error_code"])
        if domain == nil, code == nil { return nil }
    }
}

extension Payment {
    /// Its word in the columns `payment` and `unpaid_as`.
    var word: String {
        switch self {
        case .issued: "issued"
        case .deferred: "deferred"
        case .closed: "closed"
        case .paid: "paid"
        case .void: "void"
        }
    }

    fileprivate init(_ row: Row) throws(StoreError) {
        let payment: String = try row["payment"]
        switch payment {
        case "issued": self = .issued
        case "deferred": self = .deferred
        case "closed": self = .closed(try row["close_reason"])
        case "paid":
            let purchase = PaidPurchase(id: try row["purchase_id"], transactionID: try row["transaction_id"])
            self = .paid(purchase, after: try Unpaid(row))
        case "void": self = .void
        default: throw .corrupt("an order has the unknown payment \(payment)")
        }
    }
}

extension Unpaid {
    fileprivate init(_ row: Row) throws(StoreError) {
        let word: String = try row["unpaid_as"]
        switch word {
        case "issued": self = .issued
        case "deferred": self = .deferred
        case "closed": self = .closed(try row["close_reason"])
        case "void": self = .unplaced
        default: throw .corrupt("an order was \(word) before its payment, which is unknown")
        }
    }
}
