import AppStoreSigning
import Contracts

/// What was sold and what became of it: in memory, and in journals that outlive the process.
///
/// A change is written down before it is remembered, and remembered before it is told. What was pending
/// (Ask to Buy) is in memory only.
actor SaleRepository {
    /// Purchases that wait for a parent's approval, at most.
    static let maximumPending = 1_000

    private var memory = SaleIndex()
    private var sales: Journal<Sale>
    private var subscriptions: Journal<Subscription>
    private var pending: [String: PurchaseOrder] = [:]
    private var chance: Chance

    struct PurchaseOrder: Sendable {
        let purchase: SimulatedPurchase
        let period: BillingPeriod?
    }

    init(folder: String, chance: Chance = .system) throws {
        sales = try Journal(folder: folder, name: "sales")
        subscriptions = try Journal(folder: folder, name: "subscriptions")
        self.chance = chance
        for sale in sales.records() { memory.put(sale) }
        for subscription in subscriptions.records() { memory.put(subscription) }
    }

    // MARK: Selling

    func sell(_ order: PurchaseOrder, count: Int, at now: Timestamp) throws -> SaleChanges {
        var changes = SaleChanges()
        for _ in 0..<count {
            let transaction = order.purchase.transaction(at: now, using: &chance)
            changes.sales.append(Sale(transaction))
            changes.begin(transaction, period: order.period)
        }
        return try enter(changes, at: now)
    }

    /// Keeps a purchase until a parent approves of it; returns the name by which it is approved.
    func ask(_ order: PurchaseOrder) throws(Refusal) -> String {
        guard pending.count < Self.maximumPending else { throw Refusal("too many purchases are pending") }
        let id = chance.newUUID()
        pending[id] = order
        return id
    }

    /// A parent's answer: the purchase is made, or forgotten.
    func answer(_ pendingId: String, isApproved: Bool, at now: Timestamp) throws -> SaleChanges {
        guard let order = pending.removeValue(forKey: pendingId) else {
            throw Refusal("no purchase is pending under this id")
        }
        return isApproved ? try sell(order, count: 1, at: now) : SaleChanges()
    }

    func share(_ transactionId: String, with account: String, at now: Timestamp) throws -> SaleChanges {
        let sale = try known(transactionId)
        guard sale.transaction.inAppOwnershipType == "PURCHASED", !sale.isConsumable else {
            throw Refusal("only a bought product that is not consumed can be shared")
        }
        return try makeCopy(of: sale, for: account, as: "FAMILY_SHARED", at: now)
    }

    /// Gives a member one of the seats of a purchase: a copy of its own, with the purchaser's quantity and price tiers.
    ///
    /// Whether Apple's copy has the purchaser's original id is not known; here it has its own.
    func assign(_ transactionId: String, to account: String, at now: Timestamp) throws -> SaleChanges {
        let sale = try known(transactionId)
        guard sale.transaction.inAppOwnershipType == "PURCHASED", sale.transaction.multiSeatInfo != nil else {
            throw Refusal("only a bought subscription with seats can be assigned")
        }
        return try makeCopy(of: sale, for: account, as: "ASSIGNED", at: now)
    }

    private func makeCopy(
        of sale: Sale,
        for account: String,
        as ownership: String,
        at now: Timestamp
    ) throws -> SaleChanges {
        var transaction = sale.transaction
        transaction.transactionId = SimulatedPurchase.newNumber(using: &chance)
        transaction.originalTransactionId = transaction.transactionId
        transaction.appAccountToken = nil
        transaction.inAppOwnershipType = ownership
        transaction.appTransactionId = Account.appTransactionId(
            of: account,
            bundleId: transaction.bundleId,
            environment: transaction.environment
        )
        var changes = SaleChanges(sales: [Sale(transaction, sharedFrom: sale.id)])
        let period = memory.subscriptions[sale.transaction.originalTransactionId]?.period
        changes.begin(transaction, period: period)
        return try enter(changes, at: now)
    }

    /// What the buyer's next device gets of a purchase: another transaction, for which nobody pays again.
    ///
    /// Apple tells no server of it, and a refund of either transaction is one of both.
    func restore(_ transactionId: String, at now: Timestamp) throws -> SaleChanges {
        let sale = try known(transactionId)
        guard sale.isRestorable, sale.transaction.revocationDate == nil else {
            throw Refusal("only non-consumables and auto-renewable subscriptions that are paid are restored")
        }
        let transaction = sale.transaction.restored(at: now, using: &chance)
        return try enter(SaleChanges(sales: [Sale(transaction, sharedFrom: sale.sharedFrom)]), at: now)
    }

    // MARK: What becomes of it

    /// Lets an event happen to one transaction, and to what the family shares of it.
    func perform(_ event: PurchaseEvent, on transactionId: String, at now: Timestamp) throws -> SaleChanges {
        let sale = try known(transactionId)
        let others = event.isAboutThePurchase ? memory.samePurchase(as: sale) : []
        var changes = SaleChanges()
        for other in others { changes.add(try machine(of: other, at: now).apply(event)) }
        // Apple tells of the one transaction that the event was about.
        changes.notifications = []
        changes.add(try machine(of: sale, at: now).apply(event))
        if case .refund = event {
            for share in (others + [sale]).flatMap({ memory.shares(of: $0.id) }) {
                changes.add(try machine(of: share, at: now).apply(.revoke))
            }
        }
        return try enter(changes, at: now)
    }

    private func machine(of sale: Sale, at now: Timestamp) -> PurchaseMachine {
        let subscription = memory.subscriptions[sale.transaction.originalTransactionId]
        return PurchaseMachine(sale: sale, subscription: subscription, now: now)
    }

    /// Lets an event happen to the subscription to which a transaction belongs.
    func perform(
        _ event: SubscriptionEvent,
        on transactionId: String,
        at now: Timestamp
    ) throws -> SaleChanges {
        let sale = try known(transactionId)
        guard let (subscription, latest) = subscription(of: sale) else {
            throw Refusal("the transaction is of no auto-renewable subscription")
        }
        var machine = SubscriptionMachine(
            subscription: subscription,
            latest: latest,
            now: now,
            newNumber: SimulatedPurchase.newNumber(using: &chance)
        )
        return try enter(machine.apply(event), at: now)
    }

    func finish(_ transactionId: String, at now: Timestamp) throws -> SaleChanges {
        var sale = try known(transactionId)
        sale.isFinished = true
        return try enter(SaleChanges(sales: [sale]), at: now)
    }

    /// Gives a purchase, and all renewals of it, another account token.
    func setAppAccountToken(_ token: String, of originalTransactionId: String, at now: Timestamp) throws {
        guard let first = memory.sales[originalTransactionId] else { return }
        var sales = memory.sales(of: first.account)
            .filter { $0.transaction.originalTransactionId == originalTransactionId }
        for index in sales.indices { sales[index].transaction.appAccountToken = token }
        _ = try enter(SaleChanges(sales: sales), at: now)
    }

    /// Writes down what happened, then remembers it; the result has the moments of the changes, and what is
    /// said about a known transaction is signed later than what was said before.
    private func enter(_ changes: SaleChanges, at now: Timestamp) throws -> SaleChanges {
        var changes = changes
        var later = memory.nextModification(at: now.milliseconds)
        for index in changes.sales.indices {
            let before = memory.sales[changes.sales[index].id]?.transaction.signedDate ?? .min
            changes.sales[index].transaction.signedDate = max(now.milliseconds, before &+ 1)
            changes.sales[index].modified = later
            later += 1
        }
        try sales.append(changes.sales)
        try subscriptions.append(changes.subscriptions)
        for sale in changes.sales { memory.put(sale) }
        for subscription in changes.subscriptions { memory.put(subscription) }
        return changes
    }

    // MARK: Looking up

    func sale(_ transactionId: String) -> Sale? { memory.sales[transactionId] }

    /// Every sale to the account that made this one, the one that changed last at the end.
    func history(of sale: Sale) -> [Sale] { memory.sales(of: sale.account) }

    func subscription(of sale: Sale) -> (subscription: Subscription, latest: Sale)? {
        guard let subscription = memory.subscriptions[sale.transaction.originalTransactionId],
            let latest = memory.sales[subscription.latestTransactionId]
        else { return nil }
        return (subscription, latest)
    }

    /// The subscriptions of the account that made a sale, in the order of their first transactions.
    func subscriptions(of sale: Sale) -> [(subscription: Subscription, latest: Sale)] {
        var byOriginal: [String: Sale] = [:]
        for other in history(of: sale) { byOriginal[other.transaction.originalTransactionId] = other }
        return byOriginal.sorted { $0.key < $1.key }.compactMap { subscription(of: $0.value) }
    }

    private func known(_ transactionId: String) throws(UnknownTransaction) -> Sale {
        guard let sale = memory.sales[transactionId] else { throw UnknownTransaction() }
        return sale
    }
}

/// A transaction that was not made here, or has been forgotten.
struct UnknownTransaction: Error {}

extension SaleChanges {
    /// A subscription with its first period, or something that is bought once.
    fileprivate mutating func begin(_ transaction: SignedTransaction, period: BillingPeriod?) {
        let id = transaction.transactionId
        guard let period else { return notifications.append(.init("ONE_TIME_CHARGE", of: id)) }
        subscriptions.append(Subscription(transaction, period: period))
        notifications.append(.init("SUBSCRIBED", "INITIAL_BUY", of: id))
    }

    fileprivate mutating func add(_ other: SaleChanges) {
        sales += other.sales
        subscriptions += other.subscriptions
        notifications += other.notifications
    }
}
