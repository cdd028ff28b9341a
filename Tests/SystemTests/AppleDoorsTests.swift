import TestKit
import AppStoreSigning
import Contracts
import Foundation
import Testing

extension WholeGroup {
    /// The other doors by which Apple's word comes in: old receipts, and Apple's own notifications.
    @Suite struct AppleDoorsTests {
        private static func now() -> Timestamp {
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        }

        private static func purchase(_ productId: String = TestHome.coins) -> SimulatedPurchase {
            SimulatedPurchase(bundleId: TestHome.bundleID, productId: productId)
        }

        @Test
        func `everything in an app receipt is granted, and the same transaction signed anew is not again`()
            async throws
        {
            let signer = try AppReceiptSigner()
            try await TestGroup.use(trusting: [signer.rootDER]) { group in
                let transactions = (0..<3).map { _ in Self.purchase().transaction(at: Self.now()) }
                let receipt = try signer.base64(
                    SimulatedReceipt(
                        bundleId: TestHome.bundleID,
                        creationDate: Self.now(),
                        purchases: transactions
                    )
                )
                let reply = try await group.gateway.insist("app receipt") {
                    try await group.gateway.submit("anna", proof: receipt, kind: "appReceipt", wait: 20_000)
                }
                let verdict = try reply.json(VerdictAnswer.self)
                #expect(verdict.verdict == "granted" && verdict.finish, "\(reply.text)")
                let anew = try group.home.signer.sign(transaction: transactions[1])
                let again = try await group.gateway.submit("anna", proof: anew).json(VerdictAnswer.self)
                #expect(again.verdict == "granted")
                let other = try await group.gateway.submit("berta", proof: receipt, kind: "appReceipt")
                #expect(try other.json(VerdictAnswer.self).verdict == "conflict")
                let ledger = try await group.gateway.get("/v1/buyers/anna/ledger").json(LedgerAnswer.self)
                #expect(
                    ledger.entries.map(\.transactionId).sorted() == transactions.map(\.transactionId).sorted()
                )
            }
        }

        @Test func `an app receipt without purchases is pending at once, and says why`() async throws {
            let signer = try AppReceiptSigner()
            try await TestGroup.use(trusting: [signer.rootDER]) { group in
                let receipt = try signer.base64(
                    SimulatedReceipt(bundleId: TestHome.bundleID, creationDate: Self.now())
                )
                let reply = try await group.gateway.submit(
                    "anna",
                    proof: receipt,
                    kind: "appReceipt",
                    wait: 30_000
                )
                #expect(reply.status == 202)
                #expect(reply.text.contains(#""reason":"emptyReceipt""#), "\(reply.text)")
            }
        }

        @Test
        func `a purchase whose phone died is granted by Apple's notification, and taken back by another`()
            async throws
        {
            try await TestGroup.use { group in
                let paid = try await group.pay("anna")
                var form = Self.purchase()
                form.appAccountToken = paid.orderId
                let bought = form.transaction(at: Self.now())
                let charge = try group.home.notification("ONE_TIME_CHARGE", about: bought)
                for _ in 0..<2 {
                    let reply = try await group.gateway.insist("notification") {
                        try await group.gateway.notify(charge)
                    }
                    #expect(reply.status == 200, "\(reply.text)")
                }
                let entries = try await Self.ledger(of: "anna", until: 1, group)
                #expect(entries.map(\.transactionId) == [bought.transactionId])
                #expect(entries.map(\.orderId) == [paid.orderId])

                let refund = try group.home.notification(
                    "REFUND",
                    about: bought.refunded(at: Self.now().advanced(by: 1_000))
                )
                _ = try await group.gateway.insist("refund") { try await group.gateway.notify(refund) }
                let both = try await Self.ledger(of: "anna", until: 2, group)
                #expect(both.map(\.amount) == [TestHome.coinsPerPurchase, -TestHome.coinsPerPurchase])
                let forged = try group.home.notification("REFUND", about: bought, by: try AppStoreSigner())
                #expect(try await group.gateway.notify(forged).status == 503, "of an unknown root")
                #expect(try await group.gateway.notify("garbage").status == 422, "of nobody's shape")
            }
        }

        private static func ledger(
            of buyer: String,
            until count: Int,
            _ group: TestGroup
        ) async throws -> [LedgerAnswer.Entry] {
            try await eventually("\(count) entries in the ledger of \(buyer)") {
                let answer = try await group.gateway.get("/v1/buyers/\(buyer)/ledger").json(LedgerAnswer.self)
                return answer.entries.count >= count ? answer.entries : nil
            }
        }
    }
}
