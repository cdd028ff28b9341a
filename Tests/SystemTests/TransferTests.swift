import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// Restores under another login through the whole group, with products that move.
    @Suite struct TransferTests {
        private static let catalog = """
            {"products":[
              {"productId":"coins.120","type":"consumable","grants":[{"entitlement":"coins","amount":120}]},
              {"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"pro"}]},
              {"productId":"pack","type":"nonConsumable","onOtherLogin":"transfer",
               "grants":[{"entitlement":"castle"},{"entitlement":"coins","amount":50}]},
              {"productId":"vip.month","type":"autoRenewable","onOtherLogin":"transfer",
               "grants":[{"entitlement":"vip"}]}
            ]}
            """

        private struct Holdings: Decodable {
            struct Possession: Decodable { let entitlement: String }
            let entitlements: [Possession]
            let balances: [String: Int64]
        }

        private static func load(_ group: TestGroup) async throws {
            try Data(catalog.utf8).write(to: URL(filePath: "\(group.home.root)/catalog.json"))
            _ = try await group.counterfoil("catalog", "load")
            try await eventually("the gateway takes orders for the pack") {
                try await group.gateway.issue("none", product: "pack", key: UUID().uuidString).status == 201
            }
        }

        private static func held(by buyer: String, _ group: TestGroup) async throws -> [String] {
            let reply = try await group.gateway.get("/v1/buyers/\(buyer)/entitlements")
            let holdings = try reply.json(Holdings.self)
            return holdings.entitlements.map(\.entitlement)
                + holdings.balances.map { "\($0.value) \($0.key)" }
        }

        private static func restore(
            _ signed: SignedTransaction,
            by buyer: String,
            _ group: TestGroup
        ) async throws -> VerdictAnswer {
            try await group.submit(buyer, signed, intent: "restore")
        }

        @Test func `a restore moves a purchase and a subscription, and never amounts`() async throws {
            try await TestGroup.use(partitions: 4) { group in
                try await Self.load(group)
                let pack = SignedTransaction.bought("pack", type: "Non-Consumable")
                var period = SignedTransaction.bought("vip.month", type: "Auto-Renewable Subscription")
                (period.webOrderLineItemId, period.transactionReason) = ("7001", "PURCHASE")
                period.expiresDate = period.purchaseDate + 86_400_000
                for signed in [pack, period] { #expect(try await group.submit("anna", signed).isGranted) }
                #expect(try await Self.held(by: "anna", group) == ["castle", "vip", "50 coins"])

                #expect(try await group.submit("berta", pack).verdict == "conflict", "without the intent")
                for signed in [pack, period] {
                    #expect(try await Self.restore(signed, by: "berta", group).isGranted)
                }
                #expect(try await Self.held(by: "berta", group) == ["castle", "vip"])
                #expect(try await Self.held(by: "anna", group) == ["50 coins"])
                let soon = try await Self.restore(pack, by: "anna", group)
                #expect(soon.verdict == "conflict", "once in 30 days")
                let kept = SignedTransaction.bought("pro.lifetime", type: "Non-Consumable")
                #expect(try await group.submit("anna", kept).isGranted)
                #expect(try await Self.restore(kept, by: "berta", group).verdict == "conflict")
                try await group.rest()
                _ = try await group.counterfoil("audit")
            }
        }
    }
}
