import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// Every event of a subscription's life, as Apple tells it and as a buyer's server reads it.
    @Suite struct SubscriptionRulesTests {
        private static let club = #""subscriptionGroup":"club","rank":"#
        private static let catalog = TestHome.catalog(
            with: TestHome.product("vip.forever", "nonConsumable", ["vip": nil]),
            TestHome.product("vip.month", "autoRenewable", ["vip": nil], club + "2"),
            TestHome.product("vip.year", "autoRenewable", ["vip": nil], club + "2"),
            TestHome.product("club.month", "autoRenewable", ["vip": nil, "club": nil], club + "1")
        )

        /// The same life under ids of its own, which no other buyer has.
        private static func life(_ life: SubscriptionLife, of number: Int) -> SubscriptionLife {
            func own(_ period: SignedTransaction) -> SignedTransaction {
                var period = period
                let digits = String(100 + number)
                period.transactionId = digits + period.transactionId.dropFirst(3)
                period.originalTransactionId = digits + period.originalTransactionId.dropFirst(3)
                period.webOrderLineItemId = period.webOrderLineItemId.map { digits + $0.dropFirst(3) }
                return period
            }
            var life = life
            life.first = own(life.first)
            for index in life.events.indices { life.events[index].period = own(life.events[index].period) }
            return life
        }

        private static func check(_ life: SubscriptionLife, of buyer: String, _ group: TestGroup) async throws
        {
            let now = (life.first.signedDate + 3_600_000)
            var last = ""
            try await eventually("\(life.name): \(buyer)", within: .seconds(30), detail: { last }) {
                let found = try await group.subscription(of: buyer)
                let held = try await group.held(by: buyer)
                last = "\(String(describing: found)) \(held)"
                guard let found else { return false }
                func days(_ moment: Timestamp?) -> Int64? {
                    moment.map { ($0.milliseconds - now) / ChainOfPeriods.day }
                }
                return found.state == life.state && days(found.accessUntil) == life.accessUntil
                    && days(found.expires) == life.expires && found.productId.rawValue == life.product
                    && held == life.held && life.also(found)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func
            `initial, renewal, expiry, grace, retry, recovery, every change, offer, consent, extension, refund, sharing are seen; status and rank decide nothing`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog) { group in
                let lives = SubscriptionLife.all.enumerated().map { Self.life($1, of: $0) }
                for (number, life) in lives.enumerated() {
                    let verdict = try await group.submit("buyer-\(number)", life.first)
                    #expect(verdict.finish, "\(life.name): \(verdict)")
                    for event in life.events { try await group.notify(event) }
                }
                for (number, life) in lives.enumerated() {
                    try await Self.check(life, of: "buyer-\(number)", group)
                }
                try await Self.checkForever(group)
                try await group.counterfoil("audit")
            }
        }

        /// Held while any fact gives it, to the latest end, or without one.
        private static func checkForever(_ group: TestGroup) async throws {
            func ends() async throws -> [Timestamp?] {
                try await group.holdings(of: "buyer-0").entitlements.map(\.expires)
            }
            let before = try await ends()
            #expect(before.count == 1 && before[0] != nil)
            let forever = SignedTransaction.bought("vip.forever", type: "Non-Consumable")
            #expect(try await group.submit("buyer-0", forever).isGranted)
            #expect(try await ends() == [nil])
            try await group.notify("REFUND", about: forever.refunded())
            try await eventually("the subscription gives it still") { try await ends() == before }
        }

        @Test func `a status that contradicts what was signed makes Receipts ask Apple`() async throws {
            try await AppStoreGroup.use { store in
                var period = ChainOfPeriods().period(1, -1, 29)
                period.bundleId = AppStoreGroup.bundleIDWithKey
                var event = SubscriptionEvent("EXPIRED", "VOLUNTARY", period)
                event.status = 2
                try await store.group.notify(event)
                var asked: [String] = []
                try await eventually("Apple is asked about it", detail: { "\(asked)" }) {
                    asked = try await store.appStore.calls().map(\.path)
                    return asked.contains { $0.contains("/history/") && !$0.contains("notifications") }
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `the same notifications in any order, and repeated, end in the same state`() async throws {
            let chain = ChainOfPeriods()
            let periods = [
                chain.period(1, -100, -70), chain.period(2, -70, -40, signed: 1),
                chain.period(3, -30, 335, "vip.year", signed: 2, reason: "PURCHASE"),
                chain.period(4, -10, 20, "club.month", signed: 3),
            ]
            var upgraded = periods[2]
            (upgraded.isUpgraded, upgraded.signedDate) = (true, upgraded.signedDate + 9_000)
            var refunded = periods[1]
            (refunded.revocationDate, refunded.signedDate) = (
                chain.now - 50 * ChainOfPeriods.day, refunded.signedDate + 8_000
            )
            let life = SubscriptionLife("permuted", periods[0])
                .told(.init("SUBSCRIBED", "INITIAL_BUY", periods[0]), .init("DID_RENEW", periods[1]))
                .told(.init("SUBSCRIBED", "RESUBSCRIBE", periods[2]))
                .told(.init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", periods[3]))
                .told(.init("DID_CHANGE_RENEWAL_PREF", "UPGRADE", upgraded), .init("REFUND", refunded))
                .ends(.active, until: 20, "club.month", held: ["club", "vip"])
            try await TestGroup.use(catalog: Self.catalog) { group in
                var random = SeededRandom(seed: 4)
                let buyers = 0..<8
                for number in buyers {
                    let own = Self.life(life, of: number)
                    let order = try await group.gateway.issue(
                        "buyer-\(number)",
                        product: "vip.month",
                        key: "k\(number)"
                    )
                    let token = try order.json(OrderAnswer.self).appAccountToken
                    for var event in (own.events + own.events).shuffled(using: &random) {
                        event.period.appAccountToken = token
                        try await group.notify(event)
                    }
                }
                for number in buyers {
                    try await Self.check(Self.life(life, of: number), of: "buyer-\(number)", group)
                }
                try await group.rest()
                try await group.counterfoil("audit")
            }
        }
    }
}
