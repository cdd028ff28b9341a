import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// Whose a purchase is: evidence decides, not the order of arrival.
    @Suite struct RightBuyerTests {
        @Test func `on a shared phone goods go to whom the token names, whoever comes first`()
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

                try await group.group.rest()
                _ = try await group.group.counterfoil("audit")
            }
        }
    }
}
