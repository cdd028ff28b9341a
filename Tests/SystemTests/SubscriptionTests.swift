import Contracts
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// Subscriptions through the whole group: bought by a phone, and kept up by Apple's notifications.
    @Suite struct SubscriptionTests {
        private static let year = TestHome.month.replacing("month", with: "year")
            .replacing("]}", with: #",{"entitlement":"club"}]}"#)
        static let catalog = TestHome.catalog(with: TestHome.month, year)

        /// A period of the chain of `original`, from and to so many ms from now.
        private static func period(
            _ number: Int,
            of original: SignedTransaction?,
            from begins: Int64,
            to ends: Int64,
            product: String = "vip.month",
            reason: String = "RENEWAL",
            token: String? = nil
        ) -> SignedTransaction {
            var period = SignedTransaction.bought(product, type: "Auto-Renewable Subscription", token: token)
            let now = Timestamp.now().milliseconds
            period.originalTransactionId = original?.originalTransactionId ?? period.transactionId
            period.webOrderLineItemId = "\(7_000 + number)"
            period.purchaseDate = now + begins
            period.expiresDate = now + ends
            period.transactionReason = reason
            return period
        }

        @Test
        func
            `a renewal without phone goes on, an upgrade counts at once, and a purchase moves it to its buyer`()
            async throws
        {
            try await TestGroup.use(catalog: Self.catalog, partitions: 4) { group in
                let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
                let first = Self.period(1, of: nil, from: -day, to: hour, reason: "PURCHASE")
                #expect(try await group.submit("anna", first).isGranted)
                #expect(try await group.held(by: "anna") == ["vip"])

                let second = Self.period(2, of: first, from: hour, to: 30 * day)
                try await group.notify("DID_RENEW", about: second)
                try await eventually("the renewal is known") {
                    try await group.subscription(of: "anna")?.accessUntil?.milliseconds
                        == second.expiresDate
                }
                let now = try #require(try await group.subscription(of: "anna"))
                #expect(now.state == .active && now.transactionId.rawValue == first.transactionId)

                let year = Self.period(3, of: first, from: -1_000, to: 365 * day, product: "vip.year")
                try await group.notify("DID_CHANGE_RENEWAL_PREF", about: year)
                try await eventually("the upgrade counts") {
                    try await group.held(by: "anna") == ["club", "vip"]
                }

                let order = try await group.gateway.issue(
                    "berta",
                    product: "vip.year",
                    key: UUID().uuidString
                )
                .json(OrderAnswer.self)
                let moved = Self.period(
                    4,
                    of: first,
                    from: -500,
                    to: 365 * day,
                    product: "vip.year",
                    reason: "PURCHASE",
                    token: order.appAccountToken
                )
                try await group.notify("SUBSCRIBED", about: moved)
                try await eventually("the subscription is berta's") {
                    try await group.held(by: "berta") == ["club", "vip"]
                }
                try await eventually("and no longer anna's") {
                    try await group.held(by: "anna").isEmpty
                }
            }
        }

        @Test func `one that is not renewed ends by itself, and the game's server is told once`() async throws
        {
            let backend = try await WebhookBackend()
            try await TestGroup.use(catalog: Self.catalog, webhook: backend.url) { group in
                let period = Self.period(1, of: nil, from: -60_000, to: 15_000, reason: "PURCHASE")
                _ = try await group.submit("anna", period)
                try await eventually("the game's server is told of the end", within: .seconds(60)) {
                    backend.received.contains { $0.ended == "vip" }
                }
                #expect(try await group.held(by: "anna").isEmpty)
                #expect(try await group.subscription(of: "anna")?.state == .expired)
                let again = try await group.submit("anna", period)
                #expect(again.verdict == "ended" && again.finish)
                try await group.rest()
                #expect(Set(backend.received.filter { $0.ended == "vip" }.map(\.id)).count == 1)
            }
        }

        @Test
        func `one that ends while everything is down is told of once, after the next start, for all time`()
            async throws
        {
            let backend = try await WebhookBackend()
            try await TestHome.use(webhook: backend.url) { home in
                try await home.load(catalog: Self.catalog)
                let period = try await TestGroup.use(home: home) { group in
                    let period = Self.period(1, of: nil, from: -60_000, to: 15_000, reason: "PURCHASE")
                    #expect(try await group.submit("anna", period).isGranted)
                    // Before its moment; whatever else runs is killed when this block ends.
                    kill(try await group.pid(of: "entitlements"), SIGKILL)
                    return period
                }
                try await eventually("the moment passes") {
                    Timestamp.now().milliseconds > (period.expiresDate ?? 0)
                }
                #expect(backend.received.allSatisfy { $0.ended == nil })
                try await TestGroup.use(home: home) { group in
                    try await eventually("the game's server is told of the end", within: .seconds(60)) {
                        backend.received.contains { $0.ended == "vip" }
                    }
                    kill(try await group.pid(of: "entitlements"), SIGKILL)
                    try await eventually("nothing is held") { try await group.held(by: "anna").isEmpty }
                    try await group.rest()
                }
                #expect(Set(backend.received.filter { $0.ended == "vip" }.map(\.id)).count == 1)
            }
        }
    }
}
