import AppStoreSigning
import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// Whose a purchase is when a family shares it, and when two buyers come at once.
    @Suite struct ClaimRulesTests {
        private static let pack = TestHome.product("pack", "nonConsumable", ["castle": nil, "coins": 50])
        private static let catalog = TestHome.catalog(with: pack)
        /// Buyers who order at once, until two of them do so in the same millisecond.
        private static let buyersAtOnce = 8

        private struct Audit: Decodable {
            let orphans: Int
        }

        @Test
        func
            `what a family shares gives access, never amounts or alarms; of two buyers at once one is the holder`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog) { group in
                try await Self.share(group)
                try await Self.submitAtOnce(group)
                try await Self.orderAtOnce(group)
                try await group.rest()
                let audit = try await group.counterfoil("audit", "--json").json(Audit.self)
                #expect(audit.orphans == 2)
                let alarms = try await group.gauge("transactions_orphaned")
                #expect(alarms == 1, "what a family shares is nobody's without an alarm")
            }
        }

        /// A family shares a purchase with one who has the app, and another with one who has not; so one is nobody's.
        private static func share(_ group: TestGroup) async throws {
            var shared = SignedTransaction.bought("pack", type: "Non-Consumable")
            shared.inAppOwnershipType = "FAMILY_SHARED"
            #expect(try await group.submit("olga", shared).isGranted)
            let held = try await group.holdings(of: "olga")
            #expect(held.entitlements.map(\.entitlement) == ["castle"])
            #expect(held.balances.values.allSatisfy { $0 == 0 }, "\(held.balances)")
            #expect(try await group.submit("paul", .bought("pack", type: "Non-Consumable")).isGranted)
            #expect(try await group.holdings(of: "paul").balances == ["coins": 50])

            var nobodys = SignedTransaction.bought("pack", type: "Non-Consumable")
            nobodys.inAppOwnershipType = "FAMILY_SHARED"
            try await group.notify("ONE_TIME_CHARGE", about: nobodys)
            try await group.notify("ONE_TIME_CHARGE", about: .bought())
            try await eventually("operators are alarmed of the one that was bought") {
                try await group.gauge("transactions_orphaned") == 1
            }
        }

        /// Two buyers submit the same purchase at the same moment.
        private static func submitAtOnce(_ group: TestGroup) async throws {
            let proof = try group.home.signer.sign(transaction: .bought())
            async let first = group.gateway.verdict("rosa", proof: proof)
            async let second = group.gateway.verdict("stan", proof: proof)
            let verdicts = ["rosa": try await first, "stan": try await second]
            #expect(Set(verdicts.values.map(\.verdict)) == ["granted", "conflict"], "\(verdicts)")
            #expect(verdicts.values.allSatisfy { $0.finish })
            for (buyer, verdict) in verdicts {
                let orders = try await group.gateway.orders(of: buyer, "origin=all").orders
                #expect(orders.count == (verdict.isGranted ? 1 : 0), "\(buyer): \(verdict)")
                let coins = try await group.gateway.coins(of: buyer)
                #expect(coins == (verdict.isGranted ? 120 : 0), "\(buyer): \(verdict)")
            }
            try await eventually("the conflict is counted") {
                try await group.counter("claim_conflicts") >= 1
            }
        }

        /// Buyers order in the same millisecond; each payment, of which no phone tells, goes to its own buyer.
        private static func orderAtOnce(_ group: TestGroup) async throws {
            var placed: [OrderV1] = []
            try await eventually("two buyers' orders in one millisecond are counted") {
                placed = try await placeAtOnce(group.gateway)
                return try await group.counter("orders_in_same_millisecond") >= 1
            }
            for order in placed {
                try await group.notify("ONE_TIME_CHARGE", about: .bought(token: order.appAccountToken))
            }
            for order in placed {
                let granted = try await group.gateway.order(by: order.orderId, until: .granted)
                #expect(granted.buyerId == order.buyerId)
                #expect(try await group.gateway.coins(of: order.buyerId.rawValue) == 120)
            }
        }

        private static func placeAtOnce(_ gateway: GatewayClient) async throws -> [OrderV1] {
            try await withThrowingTaskGroup(of: OrderV1.self) { tasks in
                for number in 0..<buyersAtOnce {
                    tasks.addTask { try await gateway.place("buyer-\(number)") }
                }
                var placed: [OrderV1] = []
                for try await order in tasks { placed.append(order) }
                return placed
            }
        }
    }
}
