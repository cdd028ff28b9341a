import Contracts
import Database
import Delivery
import Domain

struct RenewalCheckStore {
    let connection: any Connection

    /// Plans the check of the newest period of a chain, and of no older one; returns when it is due.
    ///
    /// Apple signs each answer anew, also that to the check itself: a check that has come to nothing stays planned for
    /// the next day.
    func plan(_ facts: TransactionFacts, now: Timestamp) throws(StoreError) -> Timestamp? {
        guard facts.expiresDate != nil else { return nil }
        guard let check = RenewalCheck.first(for: facts, now: now) else {
            try set(nil, PurchaseKey(facts))
            return nil
        }
        let chain: SQL = """
            original_transaction_id = \(facts.originalTransactionId) AND renewal_check_at IS NOT NULL
              AND bundle_id = \(facts.bundleId) AND environment = \(facts.environment) AND purchased_at
            """
        let (date, own) = (facts.purchaseDate, facts.purchaseId)
        let others: SQL = "claim WHERE \(chain) <= \(date) AND purchase_id <> \(own)"
        // Seats that are added to a period renew with it, and their refund is not its end.
        if facts.isAddition, try connection.exists(others) { return nil }
        if try connection.exists("claim WHERE \(chain) > \(date)") { return nil }
        if check.stage == .first, check.time <= now {
            let isRepeated: SQL = "renewal_check_stage = \(RenewalCheck.Due.Stage.repeated)"
            if try connection.exists("claim WHERE \(PurchaseKey(facts).condition) AND \(isRepeated)") {
                return nil
            }
        }
        try connection.execute(
            """
            UPDATE claim SET renewal_check_stage = NULL, renewal_check_at = NULL WHERE \(chain) < \(facts.purchaseDate)
            """
        )
        try set(check, PurchaseKey(facts))
        return check.stage == .over ? nil : check.time
    }

    func set(_ due: RenewalCheck.Due?, _ key: PurchaseKey) throws(StoreError) {
        try connection.execute(
            """
            UPDATE claim SET renewal_check_stage = \(due?.stage), renewal_check_at = \(due?.time) WHERE \(key.condition)
            """
        )
    }

    typealias Due = DueRow<PurchaseKey, TransactionFacts>

    /// The claims whose check is due, with what is to be checked.
    func due(_ bundleID: BundleID, now: Timestamp, limit: Int) throws(StoreError) -> [Due] {
        let repeated = try RenewalCheck.repeated(at: now).rows(by: "renewal_check_at", limit: limit) {
            range throws(StoreError) in try keys(bundleID, .repeated, range)
        }
        let order: SQL = "ORDER BY renewal_check_at LIMIT \(limit)"
        let first = try keys(bundleID, .first, "renewal_check_at <= \(now) \(order)")
        let over = try keys(bundleID, .over, "renewal_check_at > \(now) \(order)")
        let claims = ClaimStore(connection: connection)
        var due: [Due] = []
        for key in (repeated + first + over).prefix(limit) {
            due.append((key, try StoredContent(key, claims.facts)))
        }
        return due
    }

    func nextDue(_ bundleID: BundleID, after now: Timestamp) throws(StoreError) -> Timestamp? {
        let later = RenewalCheck.repeated(at: now).later(than: "renewal_check_at")
        let moments: [Timestamp?] = [
            try connection.value(
                "SELECT MIN(renewal_check_at) FROM claim WHERE \(rows(bundleID, .first)) AND renewal_check_at > \(now)"
            ),
            try connection.value(
                "SELECT MIN(renewal_check_at) FROM claim WHERE \(rows(bundleID, .repeated)) AND \(later)"
            ),
        ]
        return moments.compactMap(\.self).min()
    }

    private func keys(
        _ bundleID: BundleID,
        _ stage: RenewalCheck.Due.Stage,
        _ range: SQL
    ) throws(StoreError) -> [PurchaseKey] {
        try connection.rows(
            """
            SELECT purchase_id, bundle_id, environment FROM claim WHERE \(rows(bundleID, stage)) AND \(range)
            """,
            PurchaseKey.init(_:)
        )
    }

    private func rows(_ bundleID: BundleID, _ stage: RenewalCheck.Due.Stage) -> SQL {
        "bundle_id = \(bundleID) AND renewal_check_stage = \(stage)"
    }
}
