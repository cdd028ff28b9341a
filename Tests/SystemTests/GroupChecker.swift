import Contracts
import Domain
import Program
import Database
import Foundation
import TestKit

@testable import Delivery

/// Judges all stores of a group at rest by law 2: every transaction whose proof was acknowledged has ended as exactly
/// one of granted, parked, orphan or ended.
struct GroupChecker {
    struct Claim {
        let state: String
        let buyer: BuyerID?
        let order: String?
    }

    struct PaidOrder {
        let id: String
        let key: GroupKey
        let buyer: BuyerID
        let product: ProductID
        let environment: Environment
        let fulfilment: String
        let isLate: Bool
    }

    struct Grant {
        let buyer: BuyerID
        let order: String
        let state: String
    }

    struct Line {
        let key: GroupKey
        let buyer: BuyerID
        let kind: String
        let entitlement: String
        let amount: Int64
    }

    let simulation: GroupSimulation
    let model: GroupModel
    private(set) var claims: [GroupKey: Claim] = [:]
    private(set) var paid: [GroupKey: PaidOrder] = [:]
    private(set) var grants: [GroupKey: Grant] = [:]
    private(set) var lines: [Line] = []

    init(_ simulation: GroupSimulation) throws {
        self.simulation = simulation
        model = try GroupModel(simulation)
        try readClaims()
        try readOrders()
        try readGrants()
        try readLedger()
    }

    func fail(_ reason: String, _ law: GroupLaw = .agreement) { simulation.fail(reason, law) }

    // MARK: Reading

    private mutating func readClaims() throws {
        let sql = "SELECT environment, bundle_id, purchase_id, state, buyer_id, order_id FROM claim"
        for row in try simulation.rows(.receipts, sql) {
            let claim = Claim(
                state: try row[3],
                buyer: try (row[4] as String?).map(BuyerID.init(unchecked:)),
                order: try row[5]
            )
            let key = try GroupKey(row)
            if claims.updateValue(claim, forKey: key) != nil { fail("\(key) has two claims", .nothingTwice) }
        }
    }

    private mutating func readOrders() throws {
        let sql = """
            SELECT environment, bundle_id, purchase_id, order_id, buyer_id, product_id, fulfilment, late FROM orders
            WHERE payment = 'paid'
            """
        for row in try simulation.rows(.orders, sql) {
            let key = try GroupKey(row)
            let order = PaidOrder(
                id: try row[3],
                key: key,
                buyer: BuyerID(unchecked: try row[4]),
                product: ProductID(unchecked: try row[5]),
                environment: key.environment,
                fulfilment: try row[6],
                isLate: try row[7]
            )
            if paid.updateValue(order, forKey: key) != nil { fail("\(key) pays two orders", .nothingTwice) }
        }
    }

    private mutating func readGrants() throws {
        let sql = "SELECT environment, bundle_id, purchase_id, buyer_id, order_id, state FROM grants"
        for row in try simulation.rows(.entitlements, sql) {
            let key = try GroupKey(row)
            let grant = Grant(
                buyer: BuyerID(unchecked: try row[3]),
                order: try row[4],
                state: try row[5]
            )
            if grants.updateValue(grant, forKey: key) != nil { fail("\(key) has two grants", .nothingTwice) }
        }
    }

    private mutating func readLedger() throws {
        let sql = """
            SELECT environment, bundle_id, purchase_id, buyer_id, kind, entitlement, amount FROM ledger
            """
        for row in try simulation.rows(.entitlements, sql) {
            lines.append(
                Line(
                    key: try GroupKey(row),
                    buyer: BuyerID(unchecked: try row[3]),
                    kind: try row[4],
                    entitlement: try row[5],
                    amount: try row[6]
                )
            )
        }
    }

    // MARK: Judging

    func check() throws {
        try checkAcknowledged()
        for (key, expectation) in model.expectations.sorted(by: { $0.key < $1.key }) {
            checkClaim(key, expectation)
            try checkEnd(key, expectation)
        }
        checkOrders()
        checkRestore()
        try checkBalances()
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
            if model.proofs[receipt.rawValue] == nil {
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
        let holders = expectation.holders(simulation.script.orders)
        guard !holders.isEmpty else {
            simulation.counts.count(.orphan)
            if claim?.state != "orphan" {
                fail("\(key) is \(claim?.state ?? "lost") and should be an orphan", .nothingLost)
            }
            return
        }
        guard claim?.state == "held", let buyer = claim?.buyer, holders.contains(buyer) else {
            return fail(
                "\(key) is claimed as \(String(describing: claim)), it belongs to one of \(holders)",
                .rightBuyer
            )
        }
        guard let order = paid[key], order.id == claim?.order, order.buyer == buyer else {
            return fail(
                "\(key) is held for \(claim?.order ?? "nothing"), paid is \(String(describing: paid[key]))"
            )
        }
        guard order.product == expectation.transaction.product.id else {
            return fail("\(key) pays an order for another product: \(order)")
        }
        checkNamed(order, expectation)
    }

    /// The order that the token names is paid where it may be, and untouched where it may not.
    private func checkNamed(_ order: PaidOrder, _ expectation: GroupExpectation) {
        guard case .order(let number) = expectation.transaction.token else { return }
        let named = simulation.script.orders[number]
        guard let id = named.id?.rawValue else { return fail("an order that was never issued was named") }
        let payers = paid.values.filter { $0.id == id }
        if expectation.matches(named) {
            if payers.count != 1 { fail("the order \(id) of \(order.key) was paid by \(payers)") }
        } else if order.id == id {
            fail("\(order.key) pays the order \(id), which is for something else")
        }
        if named.isClosed, payers.first?.isLate == false {
            fail("the order \(id) was paid late and is not marked")
        }
    }

    private func checkEnd(_ key: GroupKey, _ expectation: GroupExpectation) throws {
        guard let claim = claims[key], claim.state == "held" else {
            if grants[key] != nil || lines.contains(where: { $0.key == key }) {
                fail("\(key) was granted to nobody", .rightBuyer)
            }
            return
        }
        let end = expectation.end(laterCatalog: true)
        simulation.counts.count(end)
        if let grant = grants[key], grant.buyer != claim.buyer {
            fail("\(key) is for \(claim) and was granted to \(grant.buyer)", .rightBuyer)
        }
        let states: Set<String> =
            switch end {
            case .granted: ["granted"]
            case .parked: ["parked"]
            case .ended: ["reversed", "tombstone"]
            case .orphan: []
            }
        guard let grant = grants[key], grant.buyer == claim.buyer, grant.order == claim.order,
            states.contains(grant.state)
        else { return fail("\(key) should have \(end) for \(claim): \(String(describing: grants[key]))") }
        checkLines(key, expectation, grant)
        try checkPossessions(key, expectation, grant)
        let fulfilments = [
            "granted": "granted", "parked": "parked", "reversed": "reversed", "tombstone": "reversed",
        ]
        if paid[key]?.fulfilment != fulfilments[grant.state] {
            fail("\(key): the ledger says \(grant.state), the order \(String(describing: paid[key]))")
        }
    }

    private func checkLines(_ key: GroupKey, _ expectation: GroupExpectation, _ grant: Grant) {
        let own = lines.filter { $0.key == key }
        if own.contains(where: { $0.buyer != grant.buyer }) {
            fail("\(key) is in the ledgers of two buyers", .rightBuyer)
        }
        for (entitlement, grants) in Dictionary(
            grouping: own.filter { $0.kind == "grant" },
            by: \.entitlement
        )
        where grants.count > 1 {
            fail("\(key) granted \(entitlement) \(grants.count) times", .nothingTwice)
        }
        let sums = own.reduce(into: [String: Int64]()) { $0[$1.entitlement, default: 0] += $1.amount }
        let expected = expectation.holdings(laterCatalog: true)
        if sums.filter({ $0.value != 0 }) != expected {
            fail("\(key) came to \(sums), not \(expected)", .rightGoods)
        }
    }

    private func checkPossessions(_ key: GroupKey, _ expectation: GroupExpectation, _ grant: Grant) throws {
        let goods = expectation.transaction.product.goods(laterCatalog: true) ?? []
        let expected = grant.state == "granted" ? goods.filter { $0.amount == nil }.map(\.entitlement) : []
        let rows = try simulation.rows(
            .entitlements,
            "SELECT entitlement, buyer_id FROM possession WHERE purchase_id = ? AND environment = ?",
            [.text(key.id.rawValue), .text(key.environment.rawValue)]
        )
        let found = try rows.map { try $0[0] as String }
        if found.sorted() != expected.sorted() {
            fail("\(key) gave \(found) to have, not \(expected)", .rightGoods)
        }
    }
}

extension GroupKey {
    /// The key in the first three columns of a row.
    init(_ row: Row) throws {
        self.init(
            environment: Environment(rawValue: try row[0]),
            bundle: BundleID(unchecked: try row[1]),
            id: TransactionID(unchecked: try row[2])
        )
    }
}
