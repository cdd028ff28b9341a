import AppStoreSigning
import Contracts
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// What becomes of purchases that only Apple can vouch for while its servers do not as they should.
    @Suite struct AppleTroubleTests {
        /// A way to ask Apple about a receipt of iOS 6.
        enum Endpoint: String, CaseIterable, CustomTestStringConvertible, Sendable {
            case verifyReceipt, transactionInfo

            var testDescription: String { rawValue }

            /// Where Apple is asked about a transaction.
            func path(of transactionID: String) -> String {
                switch self {
                case .verifyReceipt: "/production/verifyReceipt"
                case .transactionInfo: "/production/inApps/v1/transactions/\(transactionID)"
                }
            }

            func gateway(_ asking: AppStoreGroup) -> GatewayClient {
                switch self {
                case .verifyReceipt: asking.gateway
                case .transactionInfo: asking.gatewayWithKey
                }
            }

            /// What can go wrong; last what lets all questions rest for a while.
            var troubles: [Trouble] {
                let common: [Trouble] = [
                    .status(500), .status(503), .init("rateLimit"), .init("html"), .init("empty"),
                    .init("truncated"), .init("reset"),
                    .init("delay", ["milliseconds": .integer(3_000)], heals: true),
                    .init("trickle", ["bytes": .integer(256), "milliseconds": .integer(250)], heals: true),
                ]
                switch self {
                case .verifyReceipt:
                    let statuses = [21_002, 21_005, 21_009, 21_104].map(Trouble.receipt)
                    return common + statuses + [.status(401)]
                case .transactionInfo:
                    let forged = ["wrongSignature", "expiredCertificate"].map { Trouble($0, isAlarm: true) }
                    let errors: [Trouble] = [.error(500, 5_000_001), .error(404, 4_040_002)]
                    return forged + common + errors + [.status(401)]
                }
            }
        }

        /// Something that goes wrong at Apple's.
        struct Trouble: Sendable {
            let name: String
            let members: [String: JSONValue]
            /// Whether it strikes once, and the right answer comes all the same, only late.
            let heals: Bool
            /// Whether an operator is called, and the question asked again only some time later.
            let isAlarm: Bool

            init(
                _ kind: String,
                _ members: [String: JSONValue] = [:],
                heals: Bool = false,
                isAlarm: Bool = false
            ) {
                name = ([kind] + members.sorted { $0.key < $1.key }.map { "\($0.value)" })
                    .joined(separator: " ")
                var members = members
                members["kind"] = .string(kind)
                if heals { members["count"] = .integer(1) }
                self.members = members
                self.heals = heals
                self.isAlarm = isAlarm
            }

            static func status(_ status: Int64) -> Trouble { Trouble("status", ["status": .integer(status)]) }

            /// A status of verifyReceipt's own, after which one may ask again.
            static func receipt(_ status: Int64) -> Trouble {
                Trouble("receiptStatus", ["status": .integer(status), "isRetryable": .bool(true)])
            }

            /// An error of the App Store Server API's own, after which one may ask again.
            static func error(_ status: Int64, _ code: Int64) -> Trouble {
                Trouble("apiError", ["status": .integer(status), "errorCode": .integer(code)])
            }
        }

        /// A purchase that was handed in while something was wrong.
        private struct Waiting {
            let trouble: Trouble
            let gateway: GatewayClient
            let buyer: String
            let transactionID: String
            let receiptID: String
        }

        /// After an alarm an operator is waited for, some seconds at a time.
        private static let patience = Duration.seconds(60)

        @Test(.timeLimit(.minutes(4)), arguments: Endpoint.allCases)
        func `whatever goes wrong at Apple's, every purchase is granted once`(
            _ endpoint: Endpoint
        ) async throws {
            try await AppStoreGroup.use { asking in
                var late: [Waiting] = []
                for (number, trouble) in endpoint.troubles.enumerated() {
                    let waiting = try await Self.handIn(trouble, number, endpoint, asking)
                    if number % 3 == 2 { try await asking.killReceipts() }
                    try await Self.expectPending(waiting)
                    try await asking.appStore.heal()
                    // What was an alarm is asked again last of all.
                    if trouble.isAlarm {
                        late.append(waiting)
                    } else {
                        try await Self.expectGranted(waiting)
                    }
                }
                for waiting in late { try await Self.expectGranted(waiting) }
            }
        }

        /// Hands a receipt in and waits until the trouble has struck the question about it.
        private static func handIn(
            _ trouble: Trouble,
            _ number: Int,
            _ endpoint: Endpoint,
            _ asking: AppStoreGroup
        ) async throws -> Waiting {
            let gateway = endpoint.gateway(asking)
            let buyer = "buyer-\(number)"
            let sold = try await asking.appStore.sell(to: gateway.bundleID).transaction
            let receipt = try #require(sold.transactionReceipt)
            let path = endpoint.path(of: sold.transactionId)
            let fault = try await asking.appStore.fault(at: path, trouble.members)
            let kind = "transactionReceipt"
            let verdict = try await gateway.verdict(buyer, proof: receipt, kind: kind, wait: 0)
            try await eventually("\(trouble.name) strikes", detail: { "\(verdict)" }) {
                try await asking.appStore.hasStruck(fault)
            }
            return Waiting(
                trouble: trouble,
                gateway: gateway,
                buyer: buyer,
                transactionID: sold.transactionId,
                receiptID: verdict.receiptId
            )
        }

        /// Kept, not granted, and the phone is not told to finish.
        private static func expectPending(_ waiting: Waiting) async throws {
            // What is only late comes when it comes.
            guard !waiting.trouble.heals else { return }
            let verdict = try await waiting.gateway.verdict(of: waiting.receiptID)
            #expect(verdict.verdict == "pending" && !verdict.finish, "\(waiting.trouble.name): \(verdict)")
            let entries = try await waiting.gateway.ledger(of: waiting.buyer)
            #expect(entries.isEmpty, "\(waiting.trouble.name): \(entries)")
        }

        private static func expectGranted(_ waiting: Waiting) async throws {
            do {
                try await waiting.gateway.granted(waiting.receiptID, within: patience)
            } catch let fault as HarnessFault {
                throw HarnessFault("after \(waiting.trouble.name): \(fault)")
            }
            let entries = try await waiting.gateway.ledger(of: waiting.buyer)
            #expect(
                entries.map(\.transactionId) == [waiting.transactionID] && entries.map(\.kind) == ["grant"],
                "\(waiting.trouble.name): \(entries)"
            )
        }

        @Test(.timeLimit(.minutes(2)))
        func
            `while Apple is down an app receipt waits, or its named order has it, and a refund is found out`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let gateway = asking.gatewayWithKey
                let order = try await gateway.issue("anna", key: "one").json(OrderAnswer.self)
                let named = try await asking.appStore.sell(to: gateway.bundleID)
                let bare = try await asking.appStore.sell(to: gateway.bundleID)
                try await asking.appStore.refund(named.transaction.transactionId)
                _ = try await asking.appStore.fault(at: "/production", Trouble.status(503).members)
                let waiting = try await gateway.submit("berta", proof: bare.appReceipt, kind: "appReceipt")
                #expect(waiting.status == 202, "\(waiting.text)")
                let verdict = try await gateway.submit(
                    "anna",
                    proof: named.appReceipt,
                    kind: "appReceipt",
                    order: order.id,
                    wait: 20_000
                )
                #expect(verdict.text.contains(#""verdict":"granted""#), "\(verdict.text)")
                try await asking.killReceipts()
                try await asking.appStore.heal()
                let entries = try await gateway.ledger(of: "anna", until: 2, within: Self.patience)
                #expect(entries.map(\.kind) == ["grant", "reversal"])
                #expect(Set(entries.map(\.transactionId)) == [named.transaction.transactionId])
                let granted = try await gateway.ledger(of: "berta", until: 1, within: Self.patience)
                #expect(granted.map(\.transactionId) == [bare.transaction.transactionId])
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `an app receipt whose signer nobody knows here is granted by what Apple says of its purchase`()
            async throws
        {
            try await AppStoreGroup.use { asking in
                let gateway = asking.gatewayWithKey
                let sold = try await asking.appStore.sell(to: gateway.bundleID).transaction
                let now = Timestamp(milliseconds: sold.facts.purchaseDate)
                let receipt = SimulatedReceipt(
                    bundleId: gateway.bundleID,
                    creationDate: now,
                    purchases: [sold.facts]
                )
                let strange = try AppReceiptSigner().base64(receipt)
                let verdict = try await gateway.verdict("anna", proof: strange, kind: "appReceipt", wait: 0)
                try await gateway.granted(verdict.receiptId, within: Self.patience)
                let entries = try await gateway.ledger(of: "anna")
                #expect(entries.map(\.transactionId) == [sold.transactionId])
            }
        }
    }
}
