import Contracts
import Foundation
import HTTPTypes
import Testing

@testable import AppStore
@testable import AppStoreSimulator

/// Counterfoil's own clients of Apple, with the simulated store at the other end.
@Suite struct `Counterfoil's clients and the simulated store` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    /// The way of a call, without sockets.
    private struct Way: AppleTransport {
        let store: TestStore

        func execute(_ call: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
            guard let method = HTTPRequest.Method(call.method.rawValue) else { throw .unreachable }
            let body = call.body.map { String(decoding: $0, as: UTF8.self) }
            do {
                let answer = try await store.send(method, call.url, body, token: call.token)
                let retryAfter = answer.headers[.retryAfter]
                return .init(status: answer.status, retryAfter: retryAfter, body: Array(answer.text.utf8))
            } catch {
                throw .unreachable
            }
        }
    }

    private var clock: ClientClock {
        ClientClock(
            now: { store.clock.now },
            sleep: { store.clock.advance(milliseconds: $0) },
            random: { 0 }
        )
    }

    /// A client whose key the store made.
    private func api() async throws -> AppStoreServerClient {
        let key = try await store.control("keys", "{}")
        return try AppStoreServerClient(
            key: AppStoreServerKey(
                issuerId: key.text("issuerId"),
                keyId: key.text("keyId"),
                bundleId: BundleID(unchecked: TestStore.bundle),
                pem: key.text("privateKey")
            ),
            addresses: AppleAddresses(production: "/production", sandbox: "/sandbox"),
            transport: Way(store: store),
            clock: clock
        )
    }

    private func id(_ answer: Answer) -> TransactionID {
        TransactionID(unchecked: answer.transactionId)
    }

    @Test func `agree on everything that is asked about a purchase`() async throws {
        let api = try await api()
        let coins = try await store.buy("coins.120", "Consumable", #""environment":"Sandbox""#)
        let found = try await api.find(GetTransactionInfo(id(coins)))
        #expect(found.server == .sandbox)
        let gold = try await store.subscribe(#""account":"ada""#)
        let history = try await api.send(GetTransactionHistory(id(gold)), to: .production)
        #expect(history.signedTransactions.count == 1)
        #expect(!history.hasMore)
        let number = gold.text("transactions", "0", "customerOrderNumber")
        let order = try await api.send(LookUpOrderID(number), to: .production)
        #expect(order.isValid)
    }

    @Test func `agree on everything that is told about a purchase`() async throws {
        let api = try await api()
        let coins = id(try await store.buy())
        let information = SendConsumptionInformation(
            transactionId: coins,
            customerConsented: true,
            deliveryStatus: .delivered,
            sampleContentProvided: false
        )
        _ = try await api.send(information, to: .production)
    }

    @Test func `agree on notifications and their history`() async throws {
        let api = try await api()
        try await store.listen()
        let sold = try await store.buy()
        _ = await store.sender.deliverDue()
        let now = store.clock.now
        let question = GetNotificationHistory(
            from: now.advanced(by: -86_400_000),
            to: now.advanced(by: 86_400_000)
        )
        let history = try await api.send(question, to: .production)
        let told = sold.text("notifications", "0", "signedPayload")
        #expect(history.notificationHistory.map(\.signedPayload) == [told])
    }

    @Test func `agree on refusals, limits and outages`() async throws {
        let api = try await api()
        let unknown = GetTransactionInfo(TransactionID(unchecked: "123"))
        await #expect(throws: AppStoreServerError.notFound(.transactionIdNotFound)) {
            try await api.find(unknown)
        }
        try await store.fault("/production/inApps", "status", #""status":503,"count":1"#)
        let sold = try await store.buy()
        _ = try await api.send(GetTransactionInfo(id(sold)), to: .production)
        try await store.fault("/production/inApps", "rateLimit")
        let second = (store.clock.now.milliseconds / 1_000 + 1) * 1_000
        await #expect(throws: AppStoreServerError.rateLimited(until: Timestamp(milliseconds: second))) {
            try await api.send(GetTransactionInfo(id(sold)), to: .production)
        }
    }

    @Test func `agree on receipts in either environment`() async throws {
        let receipts = VerifyReceiptClient(
            addresses: AppleAddresses(
                production: "/production/verifyReceipt",
                sandbox: "/sandbox/verifyReceipt"
            ),
            transport: Way(store: store),
            clock: clock
        )
        let sold = try await store.subscribe(#""environment":"Sandbox","appReceipt":true"#)
        let finding = await receipts.verify(VerifyReceiptRequest(receipt: sold.text("appReceipt")))
        #expect(finding.outcome == .valid)
        #expect(finding.server == .sandbox)
        #expect(finding.response?.receipt?.bundleId == TestStore.bundle)
        #expect(finding.response?.receipt?.inApp.first?.transactionId == id(sold).rawValue)
        let expires = finding.response?.latestReceiptInfo.first?.expiresDate?.milliseconds
        #expect(expires.map(JSONValue.integer) == sold["transactions", "0", "expiresDate"])
        try await store.fault("/production/verifyReceipt", "receiptStatus", #""status":21005"#)
        let later = await receipts.verify(VerifyReceiptRequest(receipt: sold.text("appReceipt")))
        #expect(later.outcome == .retry(.status(21_005)))
    }
}
