import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// Whose a purchase is: evidence decides, and in the end an operator.
    @Suite struct RightBuyerTests {
        @Test func `on a shared phone goods go to whom the token names, until an operator decides otherwise`()
            async throws
        {
            try await AppStoreGroup.use { group in
                let gateway = group.gatewayWithKey
                let order = try await gateway.issue("anna", key: "one").json(OrderAnswer.self)
                let sold = try await group.appStore.sell(
                    to: AppStoreGroup.bundleIDWithKey,
                    token: order.appAccountToken
                )
                let others = try await gateway.verdict("berta", proof: sold.appReceipt, kind: "appReceipt")
                #expect(others.verdict == "conflict" && others.finish, "\(others)")
                let hers = try await gateway.verdict("anna", proof: sold.transaction.signedTransaction)
                #expect(hers.isGranted, "\(hers)")
                #expect(hers.transactions.first?.orderId == order.id)
                #expect(try await gateway.ledger(of: "berta").isEmpty)

                let purchase = sold.transaction.transactionId
                let nobody = ["reassign", purchase, "--reason", "ticket 4711"]
                let home = group.group.home
                let lin = try await home.operatorKey("lin", "approve")
                let mei = try await home.operatorKey("mei", "approve")
                let stranger = try await home.counterfoil(nobody)
                #expect(stranger.end == .exited(2) && stranger.errors.contains("OPERATOR_KEY"), "\(stranger)")
                let refused = try await home.counterfoil(nobody, as: lin)
                #expect(refused.end == .exited(1) && refused.errors.contains("--buyer"), "\(refused)")
                let decision = nobody + ["--buyer", "berta"]
                let dry = try await home.counterfoil(decision + ["--dry-run"], as: lin).succeeded()
                #expect(dry.output.contains("would move"), "\(dry.output)")
                let proposed = try await home.counterfoil(decision, as: lin).succeeded().output
                let proposal = try #require(proposed.firstMatch(of: /confirm (m[0-9a-f]{32})/)).output.1
                let own = try await home.counterfoil(["confirm", String(proposal)], as: lin)
                #expect(own.end == .exited(1) && own.errors.contains("proposes"), "\(own)")
                try await home.counterfoil(["confirm", String(proposal)], as: mei).succeeded()
                try await eventually("the purchase has moved") {
                    try await gateway.ledger(of: "berta").contains { $0.kind == "grant" }
                }
                let again = try await home.counterfoil(decision, as: lin).succeeded()
                #expect(again.output.contains("holds"), "\(again.output)")
                let taken = try await gateway.ledger(of: "anna")
                #expect(Set(taken.map(\.kind)) == ["grant", "reversal"])
                let trace = try await group.group.counterfoil("trace", purchase).output
                #expect(trace.contains("ticket 4711"), "\(trace)")
                let acts = try await home.counterfoil(["acts"], as: lin).succeeded().output
                #expect(acts.contains("moveConfirmed") && acts.contains("mei") && !acts.contains("berta"))
                try await group.group.rest()
                _ = try await group.group.counterfoil("audit")
            }
        }
    }
}
