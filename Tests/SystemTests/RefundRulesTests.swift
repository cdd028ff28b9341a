import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// Refunds, what Apple asks before one, and consent, as Apple's side deals with them through the whole group.
    @Suite struct RefundRulesTests {
        private typealias Sold = SimulatorProcess.Sold.Transaction

        /// A buyer of the app with a key, and Apple's side of it.
        private struct Trade {
            let apple: AppStoreGroup
            let buyer: String

            private var gateway: GatewayClient { apple.gatewayWithKey }

            /// Buys 120 coins with the buyer's own Apple Account.
            func buy() async throws -> Sold {
                let order = try await gateway.order(buyer)
                let sold = try await apple.sell(for: order, account: "account of \(buyer)")
                let verdict = try await gateway.finalVerdict(buyer, proof: sold.signedTransaction)
                #expect(verdict.isGranted, "\(verdict)")
                return sold
            }

            func spend(_ amount: Int) async throws {
                let key = UUID().uuidString
                _ = try await gateway.retry("spend") { try await gateway.spend(buyer, amount, key: key) }
            }

            func agree() async throws {
                let reply = try await gateway.retry("consent") {
                    try await gateway.consent(buyer, consumption: true)
                }
                #expect(reply.text.contains(#""consumption":true"#), "\(reply.text)")
            }

            func has(_ coins: Int64, after event: String) async throws {
                var last: Int64 = 0
                try await eventually("\(coins) coins after \(event)", detail: { "\(last)" }) {
                    last = try await gateway.coins(of: buyer)
                    return last == coins
                }
            }
        }

        /// Refunds a purchase in every way, of a buyer who has spent 150 of 240 coins.
        private func refund(_ sold: Sold, _ trade: Trade) async throws {
            let (appStore, id) = (trade.apple.appStore, sold.transactionId)
            try await appStore.event("refund", id, ["percentage": .integer(50_000)])
            try await trade.has(30, after: "a prorated refund")
            try await appStore.event("reverseRefund", id)
            try await trade.has(90, after: "its reversal")
            try await appStore.event("refund", id)
            try await trade.has(-30, after: "a full refund of what was spent")
            try await appStore.event("reverseRefund", id)
            try await trade.has(90, after: "its reversal")
            try await appStore.event("refund", id)
            try await trade.has(-30, after: "the reversal of the reversal")
        }

        @Test
        func
            `refunds follow Apple's word, consumption is told once and with consent only, withdrawn consent is told`()
            async throws
        {
            let backend = try await WebhookBackend()
            try await AppStoreGroup.use(webhook: backend.url) { apple in
                let appStore = apple.appStore
                try await appStore.sendServerNotifications(
                    of: AppStoreGroup.bundleIDWithKey,
                    to: apple.gatewayWithKey.url
                )
                let (anna, berta) = (Trade(apple: apple, buyer: "anna"), Trade(apple: apple, buyer: "berta"))
                let (first, second) = (try await anna.buy(), try await anna.buy())
                let silent = try await berta.buy()
                try await anna.spend(150)
                try await anna.agree()

                try await appStore.event("requestConsumption", silent.transactionId)
                try await appStore.event("requestConsumption", second.transactionId)
                let answer = try await eventually("Apple is told what was used") {
                    try await appStore.consumption(of: second.transactionId).first?.content
                }
                #expect(answer.customerConsented && answer.deliveryStatus == "DELIVERED")
                #expect(answer.consumptionPercentage == 25_000, "the first purchase was used first")

                try await refund(first, anna)
                try await appStore.event("rescindConsent", first.transactionId)
                let account = try #require(first.facts.appTransactionId)
                try await eventually("the game's server is told of the withdrawn consent and its buyer") {
                    backend.received.map(\.data).contains {
                        $0.appTransactionId == account && $0.buyerIds == ["anna"]
                    }
                }
                let told = backend.received.filter { $0.data.appTransactionId != nil }
                #expect(told.allSatisfy { $0.type == "counterfoil.consent.rescinded.v1" })
                let alarm = "was withdrawn for the app transaction \(account): stop serving it"
                try await apple.group.alarms(alarm, gauge: "consents_rescinded")

                try await apple.group.rest()
                #expect(try await appStore.consumption(of: second.transactionId).count == 1)
                #expect(try await appStore.consumption(of: silent.transactionId).isEmpty)
                try await anna.has(-30, after: "all of it")
                try await berta.has(120, after: "all of it")
            }
        }

        @Test
        func `a lost notification of a grace period is made up for by asking how the subscription stands`()
            async throws
        {
            try await AppStoreGroup.use { apple in
                try await apple.group.load(catalog: TestHome.catalog(with: TestHome.month))
                let gateway = apple.gatewayWithKey
                try await eventually("the gateway takes orders for subscriptions") {
                    try await gateway.issue("none", product: "vip.month", key: UUID().uuidString).status
                        == 201
                }
                let (day, hour): (Int64, Int64) = (86_400_000, 3_600_000)
                let sold = try await apple.appStore.sellMonth(
                    "vip.month",
                    to: AppStoreGroup.bundleIDWithKey,
                    before: 30 * day + 2 * hour
                )
                try await apple.appStore.event(
                    "failToRenew",
                    sold.transactionId,
                    notify: false,
                    ["gracePeriodDays": .integer(16)]
                )
                _ = try await gateway.submit("anna", proof: sold.signedTransaction)
                try await eventually("anna's subscription is in its grace period") {
                    let reply = try await gateway.get("/v1/buyers/anna/subscriptions")
                    let subscription = try reply.json(SubscriptionsV1.self).subscriptions.first
                    return subscription?.state == .grace
                }
                let reply = try await gateway.get("/v1/buyers/anna/entitlements")
                #expect(reply.text.contains(#""entitlement":"vip""#), "\(reply.text)")
            }
        }
    }
}
