import Contracts
import Database

/// A period of a subscription, in ms of the run.
struct GroupPeriod {
    /// The number of the transaction with which the subscription began.
    let chain: Int
    let begins: Int64
    let ends: Int64
    var isRenewal = false
    /// Old receipts have no `webOrderLineItemId`.
    var hasLineItem = true
    /// Whether all periods before it, and what its subscription replaces, were held when it was heard of first; nil
    /// before that.
    var isFollowing: Bool?

    /// What Apple signs first: it charges for a renewal before the period begins.
    var first: GroupFacts { signed(at: min(begins, -120_000)) }
    var again: GroupFacts { signed(at: -90_000) }
    var upgraded: GroupFacts { signed(at: -80_000, isUpgraded: true) }
    func refunded(_ share: Int) -> GroupFacts { signed(at: -60_000, refunded: share) }
    var refundReversed: GroupFacts { signed(at: -30_000) }

    private func signed(at time: Int64, refunded: Int = 0, isUpgraded: Bool = false) -> GroupFacts {
        GroupFacts(signed: time - begins, refunded: refunded, isUpgraded: isUpgraded)
    }
}

extension SignedTransaction {
    mutating func note(_ period: GroupPeriod, lineItem: String) {
        expiresDate = GroupWorld.runStart + period.ends
        webOrderLineItemId = period.hasLineItem ? lineItem : nil
        transactionReason = period.isRenewal ? "RENEWAL" : "PURCHASE"
        subscriptionGroupIdentifier = "group"
    }
}

extension GroupScript {
    /// The transactions of a subscription's periods, in order of time; of restored ones the first, and no copies.
    func periods(of original: TransactionID) -> [GroupTransaction] {
        transactions
            .filter {
                $0.period != nil && $0.restores == nil && $0.assigns == nil && $0.original == original
            }
            .sorted { ($0.period?.begins ?? 0, $0.key) < ($1.period?.begins ?? 0, $1.key) }
    }
}

/// Periods are heard of in any order; a renewal that is heard of when its forerunners are held belongs to their holder.
extension GroupSimulation {
    /// Notes that transactions are handed in or stated; true if the patient must wait for earlier periods.
    func hears(of numbers: [Int], isPatient: Bool) -> Bool {
        var mustWait = false
        for number in numbers {
            guard let period = script.transactions[number].period, period.isFollowing == nil else { continue }
            let isFollowing = hasHeldForerunners(script.transactions[number])
            // Those that nobody hears of any more are not waited for.
            if isPatient, !isFollowing, now < Self.faultsEnd {
                mustWait = true
            } else {
                script.transactions[number].period?.isFollowing = isFollowing
            }
        }
        return mustWait
    }

    private func hasHeldForerunners(_ transaction: GroupTransaction) -> Bool {
        attempt("the claims cannot be read", else: false) {
            let earlier = script.periods(of: transaction.original).prefix { $0.key != transaction.key }
            let sql: SQL = """
                SELECT 1 FROM claim WHERE original_transaction_id = \(transaction.original) AND state = 'held'
                AND purchased_at < \(GroupWorld.runStart + (transaction.period?.begins ?? 0))
                """
            return try rows(.receipts, sql).count == earlier.count && holdsWhatIsReplaced(by: transaction)
        }
    }
}
