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

            /// Buys 120 coins with the buyer's own Apple Account.
            func buy() async throws -> Sold {
                let gateway = apple.gatewayWithKey
                let order = try await gateway.order(buyer)
                let sold = try await apple.sell(for: order, account: "account of \(buyer)")
                let verdict = try await gateway.finalVerdict(buyer, proof: sold.signedTransaction)
                #expect(verdict.isGranted, "\(verdict)")
                return sold
            }

            func spend(_ amount: Int) async throws {
                let key = UUID().uuidString
                _ = try await apple.gatewayWithKey.retry("spend") {
                    try await apple.gatewayWithKey.spend(buyer, amount, key: key)
                }
            }

            func agree() async throws {
                let gateway = apple.gatewayWithKey
                let reply = try await gateway.retry("consent") {
                    try await gateway.consent(buyer, consumption: true)
                }
                #expect(reply.text.contains(#""consumption":true"#), "\(reply.text)")
            }

            func has(_ coins: Int, after event: String) async throws {
                var last = 0
                try await eventually("\(coins) coins after \(event)", detail: { "\(last)" }) {
                    let reply = try await apple.gatewayWithKey.get("/v1/buyers/\(buyer)/entitlements")
                    last = try reply.json(HoldingsAnswer.self).balances["coins"] ?? 0
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
            let backend = try await WebhookBackend.start()
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
                    backend.received.contains { $0.account == account && $0.buyers == ["anna"] }
                }
                let told = backend.received.filter { $0.account != nil }
                #expect(told.allSatisfy { $0.type == "counterfoil.consent.rescinded.v1" })
                try await isAlarmed(account, apple.group)

                try await apple.group.rest()
                #expect(try await appStore.consumption(of: second.transactionId).count == 1)
                #expect(try await appStore.consumption(of: silent.transactionId).isEmpty)
                try await anna.has(-30, after: "all of it")
                try await berta.has(120, after: "all of it")
            }
        }

        /// Waits until operators are told, by the log and by the figures, that consent was withdrawn.
        private func isAlarmed(_ account: String, _ group: TestGroup) async throws {
            try await eventually("operators are told of the withdrawn consent") {
                group.up.output.contains("was withdrawn for the app transaction \(account): stop serving it")
            }
            try await eventually("the figures say so, too") {
                try await group.metrics().split(separator: "\n").contains { line in
                    let value = line.split(separator: " ").last.flatMap { Double($0) }
                    return line.hasPrefix("counterfoil_consents_rescinded{") && value == 1
                }
            }
        }

        private static let catalog = TestHome.catalog(with: TestHome.month)

        @Test
        func `a lost notification of a grace period is made up for by asking how the subscription stands`()
            async throws
        {
            try await AppStoreGroup.use { apple in
                let file = URL(filePath: "\(apple.group.home.root)/catalog.json")
                try Data(Self.catalog.utf8).write(to: file)
                try await apple.group.home.counterfoil("catalog", "load").succeeded()
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
