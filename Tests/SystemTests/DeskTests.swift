import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// What operators put right, by command, in the group that a user runs.
    @Suite struct DeskTests {
        @Test func `a lost order is made up for by two persons, and its proof takes the place of that`()
            async throws
        {
            try await AppStoreGroup.use { group in
                let home = group.group.home
                let gateway = group.gatewayWithKey
                let lin = try await home.operatorKey("lin", "support")
                let mei = try await home.operatorKey("mei", "approve")
                let order = try await gateway.issue("anna", key: "one").json(OrderAnswer.self)
                let sold = try await group.appStore.sell(
                    to: AppStoreGroup.bundleIDWithKey,
                    token: order.appAccountToken
                )
                let reason = ["--app", AppStoreGroup.bundleIDWithKey, "--reason", "ticket 4711"]
                let grant =
                    ["grant", "--product", "coins.120", "--buyer", "anna", "--order", order.id] + reason
                let proposed = try await home.counterfoil(grant, as: lin).succeeded().output
                let proposal = String(
                    try #require(proposed.firstMatch(of: /confirm (c[0-9a-f]{32})/)).output.1
                )
                try await home.counterfoil(["confirm", proposal], as: lin).expect(exit: 1, "403")
                try await home.counterfoil(["confirm", proposal], as: mei).succeeded()
                #expect(try await gateway.ledger(of: "anna").map(\.kind) == ["grant"])

                let verdict = try await gateway.verdict("anna", proof: sold.transaction.signedTransaction)
                #expect(verdict.isGranted && verdict.finish, "\(verdict)")
                let kinds = try await gateway.ledger(of: "anna").map(\.kind)
                #expect(kinds == ["grant", "grant", "reversal"])
                let acts = try await home.counterfoil(["acts", "--about", proposal], as: mei).succeeded()
                    .output
                for act in ["compensationProposed", "compensationConfirmed", "compensationMatched"] {
                    #expect(acts.contains(act), "\(acts)")
                }
                let requests = try await home.counterfoil(["requests", "--buyer", "anna"]).succeeded().output
                #expect(requests.contains("/v1/receipts"), "\(requests)")
                try await group.group.rest()
                _ = try await group.group.counterfoil("audit")
            }
        }

        @Test func `an order number of Apple's alone is not made up for once Apple has named its purchase`()
            async throws
        {
            try await AppStoreGroup.use { group in
                let home = group.group.home
                let gateway = group.gatewayWithKey
                let lin = try await home.operatorKey("lin", "support")
                let mei = try await home.operatorKey("mei", "approve")
                // It names nobody, and nobody tells of it.
                let sold = try await group.appStore.sell(to: AppStoreGroup.bundleIDWithKey)
                let number = try #require(sold.transaction.customerOrderNumber)
                let grant = [
                    "grant", "--product", "coins.120", "--buyer", "anna", "--reason", "ticket 4711",
                    "--apple-order", number.lowercased(), "--app", AppStoreGroup.bundleIDWithKey,
                ]
                let proposed = try await home.counterfoil(grant, as: lin).succeeded().output
                let proposal = String(
                    try #require(proposed.firstMatch(of: /confirm (c[0-9a-f]{32})/)).output.1
                )
                try await eventually("Apple has named the purchase, which is nobody's") {
                    try await home.counterfoil(["orphans"]).succeeded().output
                        .contains(sold.transaction.transactionId)
                }
                try await group.group.rest()
                let transaction = sold.transaction.transactionId
                let help = "counterfoil assign \(transaction) --buyer anna"
                try await home.counterfoil(["confirm", proposal], as: mei).expect(exit: 1, help)
                let assign = ["assign", transaction, "--reason", "ticket 4711", "--buyer"]
                try await home.counterfoil(assign + ["berta"], as: lin)
                    .expect(exit: 1, "counterfoil reverse \(proposal)")
                try await home.counterfoil(assign + ["anna"], as: lin).succeeded()
                try await group.group.rest()
                let verdict = try await gateway.verdict("anna", proof: sold.transaction.signedTransaction)
                #expect(verdict.isGranted && verdict.finish, "\(verdict)")
                #expect(try await gateway.ledger(of: "anna").map(\.kind) == ["grant"])
                #expect(try await gateway.ledger(of: "berta").isEmpty)
                let find = ["find", number, "--language", "en"]
                let found = try await home.counterfoil(find).succeeded().output
                #expect(found.contains(proposal), "\(found)")
                _ = try await group.group.counterfoil("audit")
            }
        }

        @Test func `a purchase is found by all its names, in plain words, and its server's refusal is told`()
            async throws
        {
            try await AppStoreGroup.use { group in
                let home = group.group.home
                let gateway = group.gatewayWithKey
                let order = try await gateway.issue("berta", key: "one").json(OrderAnswer.self)
                let sold = try await group.appStore.sell(
                    to: AppStoreGroup.bundleIDWithKey,
                    token: order.appAccountToken
                )
                let open = try await home.counterfoil(["open"]).succeeded().output
                #expect(open.contains(order.id), "\(open)")
                let verdict = try await gateway.verdict("berta", proof: sold.transaction.signedTransaction)
                #expect(verdict.isGranted)
                try await group.group.rest()
                for text in ["berta", order.id, sold.transaction.transactionId] {
                    let found = try await home.counterfoil(["find", text, "--language", "en"]).succeeded()
                        .output
                    #expect(found.hasPrefix("Paid ") && found.contains(", granted "), "\(found)")
                    #expect(found.contains("berta ordered") && found.contains(order.id), "\(found)")
                }
                let chinese = try await home.counterfoil(["find", order.id, "--language", "zh"]).succeeded()
                #expect(chinese.output.contains("已发放"))
                try await home.counterfoil(["find", "nobody"]).expect(exit: 1)
            }
        }

        @Test func `a key that is revoked acts no more, and send takes no act of an operator`() async throws {
            try await AppStoreGroup.use { group in
                let home = group.group.home
                let lin = try await home.operatorKey("lin", "read")
                try await home.counterfoil(["acts"], as: lin).succeeded()
                try await home.counterfoil(["operator", "revoke", "lin"]).succeeded()
                try await home.counterfoil(["acts"], as: lin).expect(exit: 1, "401")
                let send = ["send", "receipts", "counterfoil.claim.reassign.v1", "--data", "{}"]
                try await home.counterfoil(send).expect(exit: 2, "operator's act")
            }
        }
    }
}
