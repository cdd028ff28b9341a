import Contracts
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What nobody handed in, and how it comes to light.
    @Suite struct RecoveryTests {
        @Test(.timeLimit(.minutes(2)))
        func `what Apple could not deliver while nobody heard is found in its history after a restart`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let gateway = asking.gatewayWithKey
                try await asking.appStore.loseServerNotifications(of: gateway.bundleID)
                let order = try await gateway.order("anna")
                let sold = try await asking.sell(for: order, notify: true)
                try await asking.restartReceipts()
                let granted = try await gateway.ledger(of: "anna", until: 1, within: .seconds(40))
                #expect(granted.map(\.transactionId) == [sold.transactionId])
                #expect(granted.map(\.orderId) == [order.orderId])

                try await asking.appStore.refund(sold.transactionId, notify: true)
                try await asking.restartReceipts()
                let both = try await gateway.ledger(of: "anna", until: 2, within: .seconds(40))
                #expect(both.map(\.kind) == ["grant", "reversal"])

                // A third time there is nothing new.
                try await asking.restartReceipts()
                try await asking.group.rest()
                #expect(try await gateway.ledger(of: "anna").count == 2)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `reconcile finds by time, by buyer and by Apple's order number what was missed, once`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let gateway = asking.gatewayWithKey
                let since = Timestamp.now().rfc3339

                // Told by a notification that never came.
                try await asking.appStore.loseServerNotifications(of: gateway.bundleID)
                let ofAnna = try await gateway.order("anna")
                let notified = try await asking.sell(for: ofAnna, notify: true)
                try await Self.reconcile(asking, "--since", since)
                #expect(try await Self.ids(of: "anna", gateway) == [notified.transactionId])

                // Bought by the account of a purchase that is known.
                let account = UUID().uuidString
                let first = try await asking.appStore.sell(to: gateway.bundleID, account: account).transaction
                #expect(try await gateway.verdict("berta", proof: first.signedTransaction).isGranted)
                let ofBerta = try await gateway.order("berta")
                let second = try await asking.sell(for: ofBerta, account: account)
                try await Self.reconcile(asking, "--buyer", "berta")
                let ids = try await Self.ids(of: "berta", gateway, until: 2)
                #expect(ids == [first.transactionId, second.transactionId])

                // Named by the number on the buyer's e-mail.
                let ofClara = try await gateway.order("clara")
                let silent = try await asking.sell(for: ofClara)
                let number = try #require(silent.customerOrderNumber)
                for _ in 0..<2 { try await Self.reconcile(asking, "--apple-order", number) }
                #expect(try await Self.ids(of: "clara", gateway) == [silent.transactionId])

                try await Self.reconcile(asking, "--since", since)
                try await asking.group.rest()
                for (buyer, count) in ["anna": 1, "berta": 2, "clara": 1] {
                    #expect(try await gateway.ledger(of: buyer).count == count, "\(buyer)")
                }
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `reconcile goes on when it is interrupted and Receipts is killed, and can be followed again`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let (gateway, home) = (asking.gatewayWithKey, asking.group.home)
                let order = try await gateway.order("anna")
                let sold = try await asking.sell(for: order)
                let number = try #require(sold.customerOrderNumber)
                let fault = try await asking.appStore.fault(
                    at: "/production/inApps/v1/lookup/\(number)",
                    ["kind": .string("delay"), "milliseconds": .integer(5_000), "count": .integer(1)]
                )
                let arguments = ["reconcile", "--apple-order", number, "--app", gateway.bundleID]
                let command = try ChildProcess(
                    try Executables.path(nil),
                    arguments + ["--home", home.root],
                    folder: home.folder
                )
                defer { command.destroy() }
                let id = try await eventually("its id is printed", within: .seconds(20)) {
                    command.errors.firstMatch(of: /reconciliation ([-0-9a-f]+):/).map { String($0.1) }
                }
                try await eventually("Apple is asked") { try await asking.appStore.hasStruck(fault) }
                command.send(SIGINT)
                #expect(try await command.finish() == .signaled(SIGINT))
                try await asking.killReceipts()

                for _ in 0..<2 {
                    let answer = try await home.counterfoil("reconcile", "--follow", id).succeeded()
                    #expect(answer.output.contains(sold.transactionId))
                }
                try await asking.group.rest()
                #expect(try await Self.ids(of: "anna", gateway) == [sold.transactionId])
            }
        }

        /// `counterfoil reconcile` for the app that has a key, which must succeed.
        private static func reconcile(_ asking: AppStoreGroup, _ option: String, _ value: String) async throws
        {
            let app = AppStoreGroup.bundleIDWithKey
            try await asking.group.counterfoil("reconcile", option, value, "--app", app)
        }

        private static func ids(
            of buyer: String,
            _ gateway: GatewayClient,
            until count: Int = 1
        ) async throws -> [String] {
            try await gateway.ledger(of: buyer, until: count).map(\.transactionId)
        }

        @Test(.timeLimit(.minutes(2)))
        func `a notification of version 1 is a reason to ask, and what Apple answers is taken in`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let gateway = asking.gatewayWithKey
                let sold = try await asking.appStore.sell(to: gateway.bundleID).transaction
                #expect(try await gateway.verdict("anna", proof: sold.signedTransaction).isGranted)

                // What it says is not believed: Apple knows of no refund yet.
                let hint = try Self.version1("REFUND", about: sold, of: gateway.bundleID)
                _ = try await gateway.retry("hint") { try await gateway.notify(version1: hint) }
                try await asking.group.rest()
                #expect(try await gateway.ledger(of: "anna").map(\.kind) == ["grant"])

                try await asking.appStore.refund(sold.transactionId)
                _ = try await gateway.retry("hint") { try await gateway.notify(version1: hint) }
                let both = try await gateway.ledger(of: "anna", until: 2, within: .seconds(40))
                #expect(both.map(\.kind) == ["grant", "reversal"])
            }
        }

        /// The body of a notification of version 1, with what Apple writes about a consumable.
        private static func version1(
            _ type: String,
            about sold: SimulatorProcess.Sold.Transaction,
            of bundleID: String
        ) throws -> Data {
            let row: [String: JSONValue] = [
                "transaction_id": .string(sold.transactionId), "quantity": .string("1"),
                "original_transaction_id": .string(sold.facts.originalTransactionId),
                "product_id": .string(TestHome.coins),
            ]
            let unified: [String: JSONValue] = [
                "environment": .string("Production"), "status": .integer(0), "latest_receipt": .string(""),
                "latest_receipt_info": .array([.object(row)]), "pending_renewal_info": .array([]),
            ]
            let body: [String: JSONValue] = [
                "notification_type": .string(type), "environment": .string("PROD"),
                "bid": .string(bundleID), "bvrs": .string("1"), "unified_receipt": .object(unified),
                "password": .string(AppStoreGroup.sharedSecret),
            ]
            return try JSONEncoder().encode(JSONValue.object(body))
        }
    }
}
