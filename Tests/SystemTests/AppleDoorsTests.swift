import AppStoreSigning
import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// The other doors by which Apple's word comes in: old receipts, and Apple's own notifications.
    @Suite struct AppleDoorsTests {
        private static func receipt(
            of purchases: [SignedTransaction],
            by signer: AppReceiptSigner
        ) throws -> String {
            try signer.base64(
                SimulatedReceipt(bundleId: TestHome.bundleID, creationDate: .now(), purchases: purchases)
            )
        }

        @Test
        func `everything in an app receipt is granted, and the same transaction signed anew is not again`()
            async throws
        {
            let signer = try AppReceiptSigner()
            try await TestGroup.use(trusting: [signer.rootDER]) { group in
                let transactions = (0..<3).map { _ in SignedTransaction.bought() }
                let receipt = try Self.receipt(of: transactions, by: signer)
                let verdict = try await group.gateway.verdict("anna", proof: receipt, kind: "appReceipt")
                #expect(verdict.isGranted && verdict.finish, "\(verdict)")
                let again = try await group.gateway.submit("anna", proof: receipt, kind: "appReceipt")
                #expect(again.text.contains(#""applicationVersion":"1.0""#), "\(again.text)")
                let trace = try await group.counterfoil("trace", verdict.receiptId).output
                #expect(trace.contains("counterfoil.receipt.submit.v1 (application version 1.0)"), "\(trace)")
                #expect(try await group.submit("anna", transactions[1]).isGranted)
                let other = try await group.gateway.verdict("berta", proof: receipt, kind: "appReceipt")
                #expect(other.verdict == "conflict")
                let ledger = try await group.gateway.ledger(of: "anna")
                #expect(ledger.map(\.transactionId).sorted() == transactions.map(\.transactionId).sorted())
            }
        }

        @Test func `an app receipt of a version that was not shipped is parked until the app names it`()
            async throws
        {
            let signer = try AppReceiptSigner()
            try await TestHome.use(trusting: [signer.rootDER]) { home in
                try home.reconfigure(#""bundleId" : "#, by: #""versions" : ["2.0"], "bundleId" : "#)
                try await TestGroup.use(home: home) { group in
                    let receipt = try Self.receipt(of: [.bought()], by: signer)
                    let parked = try await group.gateway.verdict("anna", proof: receipt, kind: "appReceipt")
                    #expect(parked.verdict == "parked" && parked.reason == "unknownVersion" && !parked.finish)
                    try home.reconfigure(#"["2.0"]"#, by: #"["2.0", "1.0"]"#)
                    try await home.counterfoil("restart", within: .seconds(90)).expect(exit: 0)
                    try await eventually("the receipt is judged by the versions that are named now") {
                        try await group.counterfoil("retry")
                        return try await group.gateway.verdict(of: parked.receiptId).isGranted
                    }
                }
            }
        }

        @Test func `an app receipt without purchases is pending at once, and says why`() async throws {
            let signer = try AppReceiptSigner()
            try await TestGroup.use(trusting: [signer.rootDER]) { group in
                let proof = try Self.receipt(of: [], by: signer)
                let gateway = group.gateway
                let reply = try await gateway.submit("anna", proof: proof, kind: "appReceipt", wait: 30_000)
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
                let bought = SignedTransaction.bought(token: paid.orderId)
                let charge = try group.home.signer.notification("ONE_TIME_CHARGE", about: bought)
                for _ in 0..<2 {
                    let reply = try await group.gateway.retry("notification") {
                        try await group.gateway.notify(charge)
                    }
                    #expect(reply.status == 200, "\(reply.text)")
                }
                let entries = try await group.gateway.ledger(of: "anna", until: 1)
                #expect(entries.map(\.transactionId) == [bought.transactionId])
                #expect(entries.map(\.order) == [paid.orderId])

                try await group.notify("REFUND", about: bought.refunded())
                let both = try await group.gateway.ledger(of: "anna", until: 2)
                #expect(both.map(\.kind) == ["grant", "reversal"] && both.map(\.amount) == [120, 120])
                let forged = try AppStoreSigner().notification("REFUND", about: bought)
                #expect(try await group.gateway.notify(forged).status == 503, "of an unknown root")
                #expect(try await group.gateway.notify("garbage").status == 422, "of nobody's shape")
            }
        }

        @Test
        func
            `a part that nobody knows is kept and alarmed, and a purchase outside the App Store is told to the server`()
            async throws
        {
            let backend = try await WebhookBackend()
            try await TestGroup.use(webhook: backend.url) { group in
                func notify(
                    _ type: String,
                    _ part: String,
                    _ members: [String: JSONValue]
                ) async throws -> Int {
                    let now = Timestamp.now().milliseconds
                    let signed = try group.home.signer.notification(type, at: now, part: part, members)
                    // Apple sends again what was not taken.
                    return Int(
                        try await group.gateway.retry(type) { try await group.gateway.notify(signed) }.status
                    )
                }
                let (own, other) = (JSONValue.string(TestHome.bundleID), JSONValue.string("com.example.none"))
                let seats: [String: JSONValue] = ["bundleId": own, "unclaimSeatIds": .array([.string("1")])]
                #expect(try await notify("UNCLAIM_SEATS", "unclaimInfo", seats) == 200)
                let foreign = try group.home.signer.notification(
                    "UNCLAIM_SEATS",
                    at: Timestamp.now().milliseconds,
                    part: "unclaimInfo",
                    ["bundleId": other]
                )
                #expect(try await group.gateway.notify(foreign).status == 503)
                let token: [String: JSONValue] = ["bundleId": own, "externalPurchaseId": .string("token-1")]
                #expect(try await notify("EXTERNAL_PURCHASE_TOKEN", "externalPurchaseToken", token) == 200)
                try await eventually("the server is told what it has to report") {
                    let told = backend.received.first { $0.data.externalPurchaseId == "token-1" }
                    return told?.type == "counterfoil.externalpurchase.notified.v1"
                }
                let alarm = "has a part that is not known here, unclaimInfo"
                try await group.alarms(alarm, gauge: "server_notifications_parked")
            }
        }
    }
}
