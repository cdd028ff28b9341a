/// The verdict on a run of `counterfoil-load`, which is also its last line on standard output.
package struct LoadReport: Codable, Equatable, Sendable {
    /// Payments that were made, renewals too.
    package var purchases = 0
    /// Of these, in a ledger.
    package var granted = 0
    /// Handed in under a second id, too.
    package var restored = 0
    /// Periods of subscriptions that came by Apple's notifications alone.
    package var renewals = 0
    /// Payments of which Apple gave money back.
    package var refunds = 0
    /// Spends, credits and given back spends that were acknowledged.
    package var spends = 0
    package var credits = 0
    package var reversals = 0
    /// Orders that a payment without a token paid before the one whose token names them, as may be.
    package var takenOrders = 0
    /// Purchases that another login has restored, so that they moved.
    package var transfers = 0
    /// App receipts that another login than the one who paid has handed in on the phone that they share.
    package var sharedPhones = 0
    /// Orders for which operators made up, by the gateway's word; and those whose purchase has come after all.
    package var compensations = 0
    package var lateProofs = 0
    /// Purchases of nobody's that an operator gave to their buyer.
    package var assignments = 0
    /// Spends that were refused because there was not enough.
    package var insufficient = 0
    /// Acknowledged, and in no ledger.
    package var lost = 0
    package var twice = 0
    /// Granted to somebody else than the payment belongs to.
    package var wrongBuyer = 0
    /// The phone was told to finish before the goods were in the ledger, or finished before it was told.
    package var finishTooEarly = 0
    /// Paid at a phone with a client of its own (`--client kit`), which has not finished it in the end.
    package var unfinished = 0
    /// Granted, from the first payment to the last grant that a ledger shows.
    package var purchasesPerSecond = 0.0
    /// From the first submission to the answer that says granted.
    package var p50ms = 0.0
    package var p95ms = 0.0
    package var p99ms = 0.0
    /// Phones with a client of their own that were killed, and started again if there was something to finish.
    package var phoneDeaths = 0
    /// Requests that had neither a 2xx nor a 4xx.
    package var errors = 0

    package var errorsByKind: [String: Int] = [:]
    package var wrongAmount = 0
    /// Given twice, beside the purchase of their order, or not taken back in the end.
    package var wrongCompensations = 0
    package var wrongOrder = 0
    /// The first of them: the payment, the order that it pays, the one that it names, and who pays that one.
    package var wrongOrders: [String]?
    /// Buyers whose balances are not what follows from all that was acknowledged, or fell too low.
    package var wrongBalances = 0
    /// Buyers whose access or subscriptions are not what follows from what Apple signed.
    package var wrongAccess = 0
    /// Buyers of whom webhooks told something else than the gateway answers.
    package var wrongTold = 0
    /// Buyers whose access was not judged, because a notification of Apple's was never acknowledged.
    package var undecided = 0
    /// Of the shared phones, those whose other login was never told that the goods are not its own.
    package var untold = 0
    /// Ledger entries that nothing accounts for, or that are not between the buyer and somebody else.
    package var unexplained = 0
    /// Requests that were answered with a 4xx, or with `invalid`, which none deserves.
    package var rejected = 0
    package var firstRejection: String?
    package var parked = 0
    /// Never acknowledged, and in no ledger: their phones died for good.
    package var unacknowledged = 0
    /// Answers that were held against the ledger as soon as they came.
    package var checkedAtOnce = 0
    package var seconds = 0.0
    /// Customers a second that were tried, where a benchmark chose that; absent if as many as possible.
    package var rate: Double?

    /// A run in which nothing happened.
    package init() {}

    /// What was counted of each law that was broken, by the names of the report.
    package var faults: [String: Int] {
        let counted = [
            "lost": lost, "twice": twice, "wrongBuyer": wrongBuyer, "finishTooEarly": finishTooEarly,
            "wrongAmount": wrongAmount, "wrongOrder": wrongOrder, "unexplained": unexplained,
            "rejected": rejected, "parked": parked, "wrongBalances": wrongBalances,
            "wrongAccess": wrongAccess, "wrongTold": wrongTold, "untold": untold, "unfinished": unfinished,
            "wrongCompensations": wrongCompensations,
        ]
        return counted.filter { $0.value != 0 }
    }

    /// Whether every law held, and something was bought at all.
    package var isClean: Bool { granted > 0 && faults.isEmpty }
}
