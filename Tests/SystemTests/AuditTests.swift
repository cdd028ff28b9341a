import Contracts
import Database
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// `counterfoil audit` of a running group, and of one whose stores lie.
    @Suite struct AuditTests {
        private struct Audit: Decodable {
            struct Difference: Decodable {
                let law: String
                let purchaseId: String?
                let buyerId: String?
                let ageMs: Int64?
            }
            let entries: Int
            let orders: Int
            let claims: Int
            let grants: Int
            let differences: [Difference]
        }

        @Test func `finds nothing in a group that phones buy from, and does not stop it`() async throws {
            try await TestGroup.use(partitions: 4) { group in
                try await Crowd.buying(group) { crowd in
                    for _ in 0..<3 {
                        try await crowd.buys(20)
                        let answer = try await group.home.counterfoil("audit", "--json", within: .seconds(90))
                        answer.expect(exit: 0)
                        let audit = try answer.json(Audit.self)
                        #expect(audit.differences.isEmpty, "\(answer.output)")
                        #expect(audit.orders > 0 && audit.claims > 0 && audit.entries > 0)
                    }
                    try await crowd.buys(1)
                }
                try await group.rest()
                let audit = try await group.counterfoil("audit", "--json").json(Audit.self)
                #expect(audit.orders == audit.grants && audit.orders == audit.claims)
            }
        }

        @Test func `says by name which law each lie of a store breaks`() async throws {
            try await TestHome.use(partitions: 2) { home in
                let purchases = try await TestGroup.use(home: home) { group in
                    var purchases: [String: Purchase] = [:]
                    for lie in Lie.all { purchases[lie.law + lie.service] = try await group.buy(lie.buyer) }
                    purchases["twice"] = try await group.buy("twice")
                    try await Self.subscribe(group)
                    try await group.rest()
                    try await group.counterfoil("audit")
                    try await group.down()
                    return purchases
                }
                for lie in Lie.all {
                    let purchase = try #require(purchases[lie.law + lie.service])
                    try Self.tell(lie.sql, of: purchase.transactionId, in: lie.service, of: home)
                }
                try Self.tell("UPDATE subscription SET access = NULL", of: nil, in: "entitlements", of: home)
                let twice = try #require(purchases["twice"])
                try Self.grantTwice(twice.transactionId, in: home)
                try await TestGroup.use(home: home) { group in
                    let answer = try await group.home.counterfoil("audit", "--json", within: .seconds(90))
                    answer.expect(exit: 1)
                    let found = try answer.json(Audit.self).differences
                    for lie in Lie.all {
                        let purchase = try #require(purchases[lie.law + lie.service])
                        let names: [String?] = [purchase.transactionId, purchase.buyer]
                        let named = found.filter {
                            $0.law == lie.law && names.contains($0.purchaseId ?? $0.buyerId)
                        }
                        #expect(named.count == 1, "\(lie): \(answer.output)")
                    }
                    #expect(found.filter { $0.law == "accessHasFacts" }.count == 1, "\(answer.output)")
                    let again = found.filter {
                        $0.law == "purchaseIsGrantedOnce" && $0.purchaseId == twice.transactionId
                    }
                    #expect(again.count == 1, "\(answer.output)")
                    let late = found.filter { $0.law == "isSettledInTime" }
                    #expect(late.allSatisfy { $0.ageMs ?? 0 > 60_000 })
                }
            }
        }

        /// What no program writes; `#` stands for the purchase.
        private struct Lie: CustomStringConvertible {
            let law: String
            let service: String
            let sql: String

            init(_ law: String, _ service: String, _ sql: String) {
                (self.law, self.service, self.sql) = (law, service, sql)
            }

            var buyer: String { law.lowercased() + "-" + service }
            var description: String { "\(law) in \(service)" }

            static let all = [
                Lie(
                    "claimHasOrder",
                    "receipts",
                    "UPDATE claim SET buyer_id = 'nobody' WHERE purchase_id = '#'"
                ),
                Lie("orderHasClaim", "receipts", "DELETE FROM claim WHERE purchase_id = '#'"),
                Lie(
                    "isSettledInTime",
                    "receipts",
                    """
                    UPDATE claim SET state = 'proposed', buyer_id = NULL, order_id = NULL, held_by = NULL, since = 1,
                      candidate_kind = 'caller', candidate = 'nobody' WHERE purchase_id = '#'
                    """
                ),
                Lie(
                    "orderSaysWhatGrantSays",
                    "orders",
                    "UPDATE orders SET fulfilment = 'parked' WHERE purchase_id = '#'"
                ),
                Lie("grantHasOrder", "orders", "DELETE FROM orders WHERE purchase_id = '#'"),
                Lie(
                    "isSettledInTime",
                    "orders",
                    "UPDATE orders SET fulfilment = 'none', paid_at = 1 WHERE purchase_id = '#'"
                ),
                Lie("orderHasGrant", "entitlements", "DELETE FROM grants WHERE purchase_id = '#'"),
                Lie("purchaseIsGrantedOnce", "entitlements", "DELETE FROM ledger WHERE purchase_id = '#'"),
                Lie(
                    "balanceIsSum",
                    "entitlements",
                    """
                    UPDATE balance SET amount = amount + 1
                    WHERE buyer_id = (SELECT buyer_id FROM grants WHERE purchase_id = '#')
                    """
                ),
                Lie(
                    "balanceKeepsRule",
                    "entitlements",
                    """
                    UPDATE balance SET amount = -1
                    WHERE buyer_id = (SELECT buyer_id FROM grants WHERE purchase_id = '#')
                    """
                ),
                Lie(
                    "entryHasPurchase",
                    "entitlements",
                    "UPDATE grants SET buyer_id = 'nobody' WHERE purchase_id = '#'"
                ),
            ]
        }

        /// Changes one row, in whatever partition of a service has it.
        private static func tell(
            _ sql: String,
            of purchase: String?,
            in service: String,
            of home: TestHome
        ) throws {
            var changed = 0
            for path in Paths.matching("\(home.root)/data/\(service)/*.sqlite") {
                let store = try SQLiteDatabase(path: path)
                changed += try store.write { try $0.execute(sql.replacing("#", with: purchase ?? ""), []) }
                try store.close()
            }
            #expect(changed == 1, "\(sql)")
        }

        /// Copies a grant and its entries from one partition to the other.
        private static func grantTwice(_ purchase: String, in home: TestHome) throws {
            let stores = try Paths.matching("\(home.root)/data/entitlements/*.sqlite").map {
                try SQLiteDatabase(path: $0)
            }
            for table in ["grants", "ledger"] {
                let rows = try stores.map { store in
                    try store.write { try $0.copies(of: table, where: "purchase_id = \(purchase)") }
                }
                for (store, others) in zip(stores, rows.reversed()) {
                    try store.write { for row in others { try $0.insert(row, into: table) } }
                }
            }
            for store in stores { try store.close() }
        }

        /// A subscription of one buyer.
        private static func subscribe(_ group: TestGroup) async throws {
            let catalog = """
                {"products":[
                  {"productId":"coins.120","type":"consumable","grants":[{"entitlement":"coins","amount":120}]},
                  {"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"pro"}]},
                  {"productId":"vip.month","type":"autoRenewable","grants":[{"entitlement":"vip"}]}
                ]}
                """
            try Data(catalog.utf8).write(to: URL(filePath: "\(group.home.root)/catalog.json"))
            try await group.counterfoil("catalog", "load")
            var period = SignedTransaction.bought("vip.month", type: "Auto-Renewable Subscription")
            period.webOrderLineItemId = "7001"
            period.expiresDate = Timestamp.now().milliseconds + 3_600_000
            period.transactionReason = "PURCHASE"
            try await eventually("the subscription is granted") {
                try await group.submit("subscriber", period).isGranted
            }
        }
    }
}
