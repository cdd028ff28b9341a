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
                    let late = found.filter { $0.law == "isDoneInTime" }
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

            static let all = receipts + orders + entitlements
            private static let its = "WHERE purchase_id = '#'"

            private static let receipts = [
                ("claimHasOrder", "UPDATE claim SET buyer_id = 'nobody' \(its)"),
                ("orderHasClaim", "DELETE FROM claim \(its)"),
                (
                    "isDoneInTime",
                    """
                    UPDATE claim SET state = 'proposed', buyer_id = NULL, order_id = NULL, held_by = NULL, since = 1,
                      candidate_kind = 'caller', candidate = 'nobody' WHERE purchase_id = '#'
                    """
                ),
            ]
            .map { Lie($0, "receipts", $1) }

            private static let orders = [
                ("orderSaysWhatGrantSays", "UPDATE orders SET fulfilment = 'parked' \(its)"),
                ("grantHasOrder", "DELETE FROM orders \(its)"),
                ("isDoneInTime", "UPDATE orders SET fulfilment = 'none', paid_at = 1 \(its)"),
            ]
            .map { Lie($0, "orders", $1) }

            private static let buyers = "WHERE buyer_id = (SELECT buyer_id FROM grants \(its))"
            private static let entitlements = [
                ("orderHasGrant", "DELETE FROM grants \(its)"),
                ("purchaseIsGrantedOnce", "DELETE FROM ledger \(its)"),
                ("balanceIsSum", "UPDATE balance SET amount = amount + 1 \(buyers)"),
                ("balanceKeepsRule", "UPDATE balance SET amount = -1 \(buyers)"),
                ("entryHasPurchase", "UPDATE grants SET buyer_id = 'nobody' \(its)"),
            ]
            .map { Lie($0, "entitlements", $1) }
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
            try await group.load(catalog: TestHome.catalog(with: TestHome.month))
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
