import Contracts
import Database
import Delivery
import Domain

/// A buyer's orders by their states.
///
/// No query reads all orders of a buyer, who may have tens of thousands: `OrderListQuery` says by which index each
/// goes.
struct OrderListStore {
    let connection: any Connection

    /// The orders of a page and one more, if there is another page; `last` is the last order examined, if others
    /// follow.
    func orders(of page: OrderPage) throws(StoreError) -> (found: [Order], last: OrderID?) {
        let last = page.isOfOpenOrders ? nil : try lastExamined(page.request)
        return (try connection.rows(OrderListQuery.orders(of: page, downTo: last), Order.init), last)
    }

    /// The buyer's newest open order of a product, paid or not, that somebody placed or paid for.
    func newestOpen(
        of buyer: BuyerID,
        in bundle: BundleID,
        _ content: OrderContent
    ) throws(StoreError) -> Order? {
        let place = OrderListQuery.place(buyer, bundle, content.environment, content.productID)
        return try connection.row(OrderListQuery.newestOpen(at: place), Order.init)
    }

    /// How many unpaid orders a buyer has, of all products; many more if too many closed ones are still looked up.
    func unpaidOrders(of buyer: BuyerID, in bundle: BundleID) throws(StoreError) -> Int {
        try connection.value(OrderListQuery.unpaidOrders(of: buyer, in: bundle)) ?? 0
    }

    /// How many units of a product the buyer has paid for and not got the money back; the payments' quantities count,
    /// renewals do not.
    ///
    /// Reads as many payments as reach `limit`. Those of orders that were issued before the product had a limit are
    /// looked for among the buyer's newest orders only.
    func paidUnits(
        of buyer: BuyerID,
        in bundle: BundleID,
        _ content: OrderContent,
        limit: Int
    ) throws(StoreError) -> Int {
        let place = OrderListQuery.place(buyer, bundle, content.environment, content.productID)
        let limited = try units(OrderListQuery.limitedPayments(at: place, limit: limit))
        guard limited < limit else { return limited }
        let last: OrderID? = try connection.value(OrderListQuery.lastExamined(of: buyer, in: bundle))
        let others = OrderListQuery.otherPayments(at: place, downTo: last, limit: limit - limited)
        return try limited + units(others)
    }

    private func units(_ query: SQL) throws(StoreError) -> Int {
        let payments: [TransactionFacts] = try connection.rows(query) { row throws(StoreError) in
            try JSONColumn.value(of: row["facts"])
        }
        return payments.reduce(0) { $0 + $1.paidUnits }
    }

    /// The last of the buyer's orders that a page examines; nil if it is the last of all.
    private func lastExamined(_ request: OrdersListV1) throws(StoreError) -> OrderID? {
        let (buyer, bundle) = (request.buyerId, request.bundleId)
        return try connection.value(OrderListQuery.lastExamined(of: buyer, in: bundle, after: request.after))
    }
}
