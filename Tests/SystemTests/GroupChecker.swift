import Contracts
import Domain
import Database

@testable import Delivery

/// Judges all stores of a group at rest by law 2: every transaction whose proof was acknowledged has ended as exactly
/// one of granted, parked, orphan or ended.
struct GroupChecker {
    /// What one of the services keeps of a purchase: its claim, the order that it paid, or its grant.
    struct Record {
        let buyer: BuyerID?
        /// Of an order, and of a claim that has moved: who paid.
        let payer: BuyerID?
        let order: OrderID?
        /// Of a claim or a grant; of an order it is the fulfilment.
        let state: String
        let product: ProductID?
        let isLate: Bool

        init(_ row: Row) throws {
            buyer = try row["buyer_id"]
            payer = try row["payer_id"]
            order = try row["order_id"]
            state = try row["state"]
            product = try row["product_id"]
            isLate = try row["late"]
        }
    }

    let simulation: GroupSimulation
    let model: GroupModel
    let ledger: GroupLedger
    private(set) var claims: [GroupKey: Record] = [:]
    private(set) var paid: [GroupKey: Record] = [:]
    /// The grants of holders.
    private(set) var grants: [GroupKey: Record] = [:]
    /// The grants of those from whom a purchase has moved.
    private(set) var left: [GroupKey: [Record]] = [:]
    /// The grants of those whose a purchase never was.
    private(set) var void: [GroupKey: [Record]] = [:]
    /// The orders that have lost what had paid them.
    private(set) var released: Set<OrderID> = []
    /// Who is parked for a purchase until an operator decides.
    private(set) var claimants: [GroupKey: Set<BuyerID>] = [:]
    /// The entries of purchases.
    let lines: [GroupLedger.Entry]
    /// The entries to which requests of wallets have led, by their keys.
    private(set) var requests: [String: String] = [:]

    static let possessed: Set<String> = [
        "sword", "key", "club", "lounge", "pass", "season", "trial", "castle", "manor", "guild",
        "patron", "days", "hero",
    ]

    init(_ simulation: GroupSimulation) throws {
        self.simulation = simulation
        model = try GroupModel(simulation)
        ledger = try GroupLedger(simulation)
        // What made up for an order is judged by itself.
        lines = ledger.entries.filter { entry in
            entry.purchase.map { !$0.id.rawValue.hasPrefix("compensation.") } ?? false
        }
        claims = try records(.receipts, "buyer_id, payer_id, state, NULL AS product_id, 0 AS late FROM claim")
        paid = try records(
            .orders,
            """
            COALESCE(holder_id, buyer_id) AS buyer_id, buyer_id AS payer_id, fulfilment AS state, product_id, late
            FROM orders WHERE payment = 'paid'
            """
        )
        grants = try records(.entitlements, Self.grants(haveLeft: false))
        let former = try rows(.entitlements, Self.grants(haveLeft: true))
        left = Dictionary(grouping: former.filter { $0.record.state != "void" }, by: \.key)
            .mapValues { $0.map(\.record) }
        void = Dictionary(grouping: former.filter { $0.record.state == "void" }, by: \.key)
            .mapValues { $0.map(\.record) }
        let lost: SQL = "SELECT order_id FROM orders WHERE released_purchase_id IS NOT NULL"
        for row in try simulation.rows(.orders, lost) { released.insert(try row["order_id"]) }
        let contested: SQL = "SELECT * FROM claim WHERE claimants IS NOT NULL"
        for row in try simulation.rows(.receipts, contested) {
            claimants[try GroupKey(row)] = Set(try JSONColumn.value(of: row["claimants"]) as [BuyerID])
        }
        for row in try simulation.rows(.entitlements, "SELECT idempotency_key, entry_id FROM wallet_request")
        {
            requests[try row["idempotency_key"]] = try row["entry_id"]
        }
    }

    func fail(_ reason: String, _ law: GroupLaw = .agreement) { simulation.fail(reason, law) }

    /// What a service keeps of every purchase, which must be one row each.
    private func records(_ service: ServiceName, _ selection: String) throws -> [GroupKey: Record] {
        let rows = try rows(service, selection).map { ($0.key, $0.record) }
        return Dictionary(rows) { first, second in
            fail("one purchase has both \(first) and \(second) at \(service)", .nothingTwice)
            return second
        }
    }

    private func rows(_ service: ServiceName, _ selection: String) throws -> [(key: GroupKey, record: Record)]
    {
        let sql: SQL = "SELECT environment, bundle_id, purchase_id, order_id, \(raw: selection)"
        return try simulation.rows(service, sql).map { (try GroupKey($0), try Record($0)) }
    }

    private static func grants(haveLeft: Bool) -> String {
        """
        buyer_id, NULL AS payer_id, state, NULL AS product_id, 0 AS late FROM grants
        WHERE document ->> '$.holderStatus.leftTo' IS \(haveLeft ? "NOT NULL" : "NULL")
          AND purchase_id NOT LIKE 'compensation.%'
        """
    }

    // MARK: Judging

    func check() throws {
        try checkAcknowledged()
        checkExternalPurchases()
        for (key, expectation) in model.expectations.sorted(by: { $0.key < $1.key }) {
            checkClaim(key, expectation)
            try checkEnd(key, expectation)
        }
        checkOrders()
        try checkPayments()
        checkRestore()
        try checkLedger()
        try checkCompensations()
        checkAssignments()
        try checkAccess()
        try checkFinalVerdicts()
        try checkLeftovers()
        let strangers = Set(claims.keys).union(paid.keys).union(grants.keys).subtracting(
            model.expectations.keys
        )
        let restored = strangers.filter { model.purchases[$0] != nil }
        if !restored.isEmpty { fail("\(restored) are taken for purchases of their own", .nothingTwice) }
        if !strangers.isEmpty { fail("nobody handed in \(strangers)") }
    }

    /// What was acknowledged to a phone is stored.
    private func checkAcknowledged() throws {
        for submission in simulation.script.submissions {
            guard let receipt = submission.receipt else { continue }
            if model.receipts[receipt.rawValue] == nil {
                fail("the acknowledged proof \(receipt) is lost", .nothingLost)
            }
        }
        for submission in simulation.script.submissions where submission.receipt == nil && !submission.isDead
        {
            fail("a proof was never acknowledged", .comesToRest)
        }
    }

    private func checkClaim(_ key: GroupKey, _ expectation: GroupExpectation) {
        let claim = claims[key]
        guard !expectation.facts.isEmpty else {
            if claim != nil { fail("\(key) has a claim that nobody may make") }
            return
        }
        if let buyer = claim?.buyer, isCallersAlone(buyer, key, expectation) {
            return fail("\(key) went to \(buyer), who has handed it in for another", .neverTheCaller)
        }
        let holders = holders(key, expectation)
        if claim?.state == "orphan", mayBeOrphan(expectation) {
            return simulation.counts.count(GroupEnd.orphan)
        }
        guard !holders.isEmpty else {
            simulation.counts.count(GroupEnd.orphan)
            if claim?.state != "orphan" {
                fail("\(key) is \(claim?.state ?? "lost") and should be an orphan", .nothingLost)
            }
            return
        }
        guard claim?.state == "held", let buyer = claim?.buyer, holders.contains(buyer) else {
            return fail(
                "\(key) is claimed as \(String(describing: claim)), it belongs to one of \(holders)",
                claim == nil ? .nothingLost : expectation.isNamed ? .buyerFollowsEvidence : .rightBuyer
            )
        }
        guard let order = paid[key], order.order == claim?.order, order.buyer == buyer else {
            return fail(
                "\(key) is held as \(String(describing: claim)), paid is \(String(describing: paid[key]))"
            )
        }
        guard order.product == expectation.transaction.product.id else {
            return fail("\(key) pays an order for another product: \(order)")
        }
        checkTransfer(key, expectation, claim ?? order)
        checkNamed(key, order, expectation)
    }

    /// The order that the token names is paid where it may be, and untouched where it may not.
    private func checkNamed(_ key: GroupKey, _ order: Record, _ expectation: GroupExpectation) {
        // A renewal pays an order of its own, whatever its token is.
        guard case .order(let number) = expectation.transaction.token,
            expectation.transaction.period?.isRenewal != true
        else { return }
        // Apple has disowned it, so that an order was made on the spot before the token was known.
        if expectation.isDisowned, order.order != simulation.script.orders[number].id { return }
        let named = simulation.script.orders[number]
        guard let id = named.id else { return fail("an order that was never issued was named") }
        let payers = paid.values.filter { $0.order == id }
        // Another purchase had paid it, and turned out to be another buyer's; restored Orders have forgotten that.
        if payers.isEmpty, released.contains(id) || simulation.hasRestored(.orders) { return }
        if expectation.matches(named) {
            if payers.count != 1 { fail("the order \(id) of \(key) was paid by \(payers)") }
        } else if order.order == id {
            fail("\(key) pays the order \(id), which is for something else")
        }
        if named.isClosed, payers.first?.isLate == false {
            fail("the order \(id) was paid late and is not marked")
        }
    }

    /// Who may hold the claim of a purchase before restores move it; empty when nobody can.
    ///
    /// A renewal that is no deed is its forerunner's holder's, if it was heard of when all before it were held. A deed
    /// is the buyer's whom its token names. Of what was heard of in another order, and of a purchase that names nobody,
    /// somebody who holds a period of the chain may be the holder.
    func payers(_ key: GroupKey, _ expectation: GroupExpectation) -> Set<BuyerID> {
        let own = expectation.holders(simulation.script.orders)
        guard let period = expectation.transaction.period, expectation.transaction.assigns == nil else {
            return own
        }
        if !period.isRenewal, expectation.isNamed, own.count == 1 { return own }
        if let holders = holdersByReplaced(expectation, own) { return holders }
        if let buyer = expectation.transaction.placedBy, simulation.restore == nil {
            // The order is from before the payment, and nobody else's phone has handed it in.
            // By a clock that was ahead its period was over, so that its buyer is parked.
            let isParked = claimants[key, default: []].contains(buyer)
            let own = expectation.evidence.filter { $0.buyer == buyer }
            // Another purchase may have paid the order, if only for a while.
            let hints = Set(own.compactMap(\.hint))
            let isFree =
                !paid.contains { $0.key != key && $0.value.order.map { hints.contains($0.rawValue) } == true }
                && !released.contains { hints.contains($0.rawValue) }
            if !isParked, isFree, !own.isEmpty { return [buyer] }
        }
        let chain = simulation.script.periods(of: expectation.transaction.original)
        let forerunner = chain.last { ($0.period?.begins ?? 0) < period.begins }
        if period.isRenewal, period.isFollowing == true, simulation.restore?.isDone != true,
            let holder = forerunner.flatMap({ claims[$0.key]?.buyer })
        {
            guard expectation.isNamed, forerunner?.token != expectation.transaction.token else {
                return [holder]
            }
            simulation.counts.count(GroupDeal.deed)
            // A period that is restored takes those along that its holder has later.
            let earlier = chain.filter { ($0.period?.begins ?? 0) < period.begins }
            return earlier.reduce(own) { $0.union(model.expectations[$1.key]?.possibleRestorers ?? []) }
        }
        let others = chain.filter { $0.key != key }
        let holders = own.union(others.compactMap { claims[$0.key]?.buyer })
        guard simulation.restore?.isDone == true else { return holders }
        // That a renewal follows a period which has moved may be lost with the store.
        return holders.union(others.compactMap { paid[$0.key]?.payer })
    }

    private func checkEnd(_ key: GroupKey, _ expectation: GroupExpectation) throws {
        guard let claim = claims[key], claim.state == "held" else {
            if grants[key] != nil || lines.contains(where: { $0.purchase == key }) {
                fail("\(key) was granted to nobody", .rightBuyer)
            }
            return
        }
        let end = expectation.end
        simulation.counts.count(end)
        if let grant = grants[key], grant.buyer != claim.buyer {
            fail("\(key) is for \(claim) and was granted by \(grant)", .rightBuyer)
        }
        let states = end == .ended ? ["reversed", "tombstone"] : ["\(end)"]
        guard let grant = grants[key], grant.buyer == claim.buyer, grant.order == claim.order,
            states.contains(grant.state)
        else {
            let law: GroupLaw = grants[key] == nil ? .nothingLost : .agreement
            return fail("\(key) should have \(end) for \(claim): \(String(describing: grants[key]))", law)
        }
        checkLines(key, expectation, grant)
        try checkPossessions(key, expectation, grant)
        if paid[key]?.state != (grant.state == "tombstone" ? "reversed" : grant.state) {
            fail("\(key): the ledger says \(grant.state), the order \(String(describing: paid[key]))")
        }
    }

    private func checkLines(_ key: GroupKey, _ expectation: GroupExpectation, _ grant: Record) {
        let own = lines.filter { $0.purchase == key }
        guard let holder = grant.buyer, let payer = paid[key]?.payer else { return }
        let losers = void[key, default: []].compactMap(\.buyer)
        if !losers.isEmpty { simulation.counts.count(GroupDeal.claimMove) }
        let owners = Set([holder, payer] + losers)
            .union(expectation.isReturned ? expectation.possibleRestorers : [])
        if own.contains(where: { !owners.contains($0.buyer) }) {
            fail("\(key) is in the ledgers of two buyers", .rightBuyer)
        }
        for (entitlement, grants) in Dictionary(
            grouping: own.filter { $0.kind == "grant" && !losers.contains($0.buyer) },
            by: \.entitlement
        )
        where grants.count > 1 {
            fail("\(key) granted \(entitlement) \(grants.count) times", .nothingTwice)
        }
        // What is spent is not taken back of an amount that has a floor.
        let isFloored = expectation.transaction.product == .chips && (expectation.newest?.refunded ?? 0) > 0
        for buyer in owners {
            let sums = own.filter { $0.buyer == buyer }
                .reduce(into: [String: Int64]()) { $0[$1.entitlement, default: 0] += $1.change }
            let expected = expected(holdings(key, expectation), of: buyer, holder: holder, payer: payer)
            if isFloored
                ? sums.values.contains(where: { $0 < 0 }) : sums.filter({ $0.value != 0 }) != expected
            {
                fail("\(key) came to \(sums) for \(buyer), not \(expected)", .rightGoods)
            }
        }
    }

    private func checkPossessions(_ key: GroupKey, _ expectation: GroupExpectation, _ grant: Record) throws {
        let goods = expectation.transaction.product.goods(laterCatalog: true) ?? []
        let isGiven = grant.state == "granted" && !isCompensated(key, expectation)
        let expected = isGiven ? goods.filter { $0.amount == nil }.map(\.entitlement) : []
        let sql: SQL = """
            SELECT buyer_id, entitlement FROM possession
            WHERE purchase_id IN (\(key.id), \(key.id.elsewhere)) AND environment = \(key.environment)
            """
        let rows = try simulation.rows(.entitlements, sql)
        if try rows.contains(where: { try $0["buyer_id"] != grant.buyer }) {
            fail("\(key) is for \(grant), others have what it gives: \(rows)", .rightBuyer)
        }
        let found: [String] = try rows.map { try $0["entitlement"] }
        if found.sorted() != expected.sorted() {
            fail("\(key) gave \(found) to have, not \(expected)", .rightGoods)
        }
    }
}

extension GroupKey {
    /// The purchase of a row.
    init(_ row: Row) throws {
        self.init(
            environment: try row["environment"],
            bundle: try row["bundle_id"],
            id: (try row["purchase_id"] as PurchaseID).atHome
        )
    }
}
