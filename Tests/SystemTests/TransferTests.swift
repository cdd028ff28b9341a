import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// Restores under another login through the whole group, with products that move.
    @Suite struct TransferTests {
        private static let rule = #""onOtherLogin":"transfer""#
        private static let catalog = TestHome.catalog(
            with: TestHome.product("pack", "nonConsumable", ["castle": nil, "coins": 50], rule),
            TestHome.product("vip.month", "autoRenewable", ["vip": nil], rule)
        )

        private static func held(by buyer: String, _ group: TestGroup) async throws -> [String] {
            let holdings = try await group.holdings(of: buyer)
            let amounts = holdings.balances.map { "\($0.value) \($0.key)" }
            return holdings.entitlements.map(\.entitlement) + amounts
        }

        @Test func `a restore moves a purchase and a subscription, and never amounts`() async throws {
            try await TestGroup.use(catalog: Self.catalog, partitions: 4) { group in
                let pack = SignedTransaction.bought("pack", type: "Non-Consumable")
                var period = SignedTransaction.bought("vip.month", type: "Auto-Renewable Subscription")
                (period.webOrderLineItemId, period.transactionReason) = ("7001", "PURCHASE")
                period.expiresDate = period.purchaseDate + 86_400_000
                for signed in [pack, period] { #expect(try await group.submit("anna", signed).isGranted) }
                #expect(try await Self.held(by: "anna", group) == ["castle", "vip", "50 coins"])

                #expect(try await group.submit("berta", pack).verdict == "conflict", "without the intent")
                for signed in [pack, period] {
                    #expect(try await group.submit("berta", signed, intent: "restore").isGranted)
                }
                #expect(try await Self.held(by: "berta", group) == ["castle", "vip"])
                #expect(try await Self.held(by: "anna", group) == ["50 coins"])
                let soon = try await group.submit("anna", pack, intent: "restore")
                #expect(soon.verdict == "conflict", "once in 30 days")
                let kept = SignedTransaction.bought("pro.lifetime", type: "Non-Consumable")
                #expect(try await group.submit("anna", kept).isGranted)
                let refused = try await group.submit("berta", kept, intent: "restore")
                #expect(refused.verdict == "conflict")
                try await group.rest()
                _ = try await group.counterfoil("audit")
            }
        }
    }
}
