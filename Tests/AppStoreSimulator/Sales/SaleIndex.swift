import Contracts

/// The sales and subscriptions in memory, the latest statement about each.
///
/// At `maximumSales` the tenth that was sold first is forgotten.
struct SaleIndex: Sendable {
    static let maximumSales = 50_000

    private(set) var sales: [String: Sale] = [:]
    private(set) var subscriptions: [String: Subscription] = [:]
    private var order: [String] = []
    private var accounts: [String: [String]] = [:]
    private var lastModified: Int64 = 0

    /// A moment for the next change, later than that of every earlier one.
    mutating func nextModification(at now: Int64) -> Int64 { max(now, lastModified + 1) }

    mutating func put(_ sale: Sale) {
        lastModified = max(lastModified, sale.modified)
        if sales.updateValue(sale, forKey: sale.id) == nil {
            order.append(sale.id)
            accounts[sale.account, default: []].append(sale.id)
        }
        if order.count > Self.maximumSales { forgetTheOldest(Self.maximumSales / 10) }
    }

    mutating func put(_ subscription: Subscription) {
        subscriptions[subscription.originalTransactionId] = subscription
    }

    func sales(of account: String) -> [Sale] {
        accounts[account, default: []].compactMap { sales[$0] }.sorted { $0.modified < $1.modified }
    }

    /// The other transactions of the purchase of a sale, which restoring made.
    func samePurchase(as sale: Sale) -> [Sale] {
        sales(of: sale.account).filter { $0.id != sale.id && $0.isSamePurchase(as: sale) }
    }

    /// What members of the family hold through the purchase of another.
    func shares(of transactionId: String) -> [Sale] {
        sales.values.filter { $0.sharedFrom == transactionId }.sorted { $0.modified < $1.modified }
    }

    private mutating func forgetTheOldest(_ count: Int) {
        for id in order.prefix(count) {
            guard let sale = sales.removeValue(forKey: id) else { continue }
            accounts[sale.account]?.removeAll { $0 == id }
            if accounts[sale.account]?.isEmpty == true { accounts[sale.account] = nil }
            if sale.transaction.originalTransactionId == id { subscriptions[id] = nil }
        }
        order.removeFirst(count)
    }
}
