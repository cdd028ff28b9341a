import AppStoreSigning
import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// Phones that connect by themselves, through the whole group.
    @Suite struct PhoneTokenTests {
        private struct Refusal: Decodable { let code: String }

        /// The gateway as a buyer's phone uses it, with a token that `counterfoil token` makes.
        private static func phone(of buyer: String, _ group: TestGroup) async throws -> GatewayClient {
            let answer = try await group.home.counterfoil("token", "--buyer", buyer).succeeded()
            let token = answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
            return try GatewayClient(url: group.gateway.url, bundleID: TestHome.bundleID, apiKey: token)
        }

        @Test func `a phone buys by itself, and sees nothing of another buyer`() async throws {
            try await TestGroup.use { group in
                let ada = try await Self.phone(of: "ada", group)
                let eve = try await Self.phone(of: "eve", group)
                let order = try await ada.place("ada")
                #expect(order.issuedBy == .phone)
                let path = "/v1/orders/\(order.orderId.rawValue)"
                #expect(try await eve.get(path).status == 404)
                #expect(try await eve.close(order.orderId.rawValue).status == 404)
                #expect(try await eve.issue("ada", key: "k").json(Refusal.self).code == "otherBuyer")

                let proof = try group.home.signer.sign(
                    transaction: .bought(token: order.appAccountToken)
                )
                let verdict = try await ada.verdict("ada", proof: proof)
                #expect(verdict.isGranted && verdict.finish, "\(verdict)")
                #expect(try await ada.verdict(verdict.receiptId).json(VerdictAnswer.self).isGranted)
                #expect(try await eve.verdict(verdict.receiptId).status == 404)
                let holdings = try await ada.get("/v1/buyers/ada/entitlements").json(HoldingsAnswer.self)
                #expect(holdings.balances["coins"] == TestHome.coinsPerPurchase)
                #expect(try await eve.get("/v1/buyers/ada/entitlements").status == 403)
                #expect(try await ada.spend("ada", 1, key: "s").json(Refusal.self).code == "serverKeyNeeded")
                #expect(try await group.gateway.order(by: order.orderId).issuedBy == .phone)
            }
        }
    }
}
