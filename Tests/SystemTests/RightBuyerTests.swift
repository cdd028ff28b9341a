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
                let own = try await gateway.verdict("anna", proof: sold.transaction.signedTransaction)
                #expect(own.isGranted, "\(own)")
                #expect(own.transactions.first?.orderId == order.id)
                #expect(try await gateway.ledger(of: "berta").isEmpty)

                let purchase = sold.transaction.transactionId
                let nobody = ["reassign", purchase, "--reason", "ticket 4711"]
                let refused = try await group.group.home.counterfoil(nobody)
                #expect(refused.end == .exited(1) && refused.errors.contains("--buyer"), "\(refused)")
                let decision = nobody + ["--buyer", "berta"]
                let dry = try await group.group.home.counterfoil(decision + ["--dry-run"]).succeeded()
                #expect(dry.output.contains("would move"), "\(dry.output)")
                try await group.group.home.counterfoil(decision).succeeded()
                try await eventually("the purchase has moved") {
                    try await gateway.ledger(of: "berta").contains { $0.kind == "grant" }
                }
                let again = try await group.group.home.counterfoil(decision).succeeded()
                #expect(again.output.contains("holds"), "\(again.output)")
                let taken = try await gateway.ledger(of: "anna")
                #expect(Set(taken.map(\.kind)) == ["grant", "reversal"])
                let trace = try await group.group.counterfoil("trace", purchase).output
                #expect(trace.contains("ticket 4711"), "\(trace)")
                try await group.group.rest()
                _ = try await group.group.counterfoil("audit")
            }
        }
    }
}
