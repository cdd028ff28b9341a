import AppStore
import AppStoreSigning
import Contracts
import Crypto
import Foundation
import NIOConcurrencyHelpers
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Apple as the partitions of a `ReceiptsGroup` ask it: what it knows, and what is wrong with it.
final class AskedApple: AppleTransport {
    enum Mood: Sendable { case well, down, refusesKey, knowsNothing }

    private struct State {
        var mood = Mood.well
        var transactions: [String: SignedTransaction] = [:]
        var notifications: [String] = []
        /// The JSON of `verifyReceipt`'s answer.
        var receipt = #"{"status":21005}"#
        /// Apple's number for the app, where it says so.
        var appAppleId: Int64?
        var now = Sample.start
        var calls: [String] = []
        var bodies: [String] = []
    }

    let signer: AppStoreSigner
    private let state = NIOLockedValueBox(State())

    init() throws { signer = try AppStoreSigner() }

    var mood: Mood {
        get { state.withLockedValue { $0.mood } }
        set { state.withLockedValue { $0.mood = newValue } }
    }
    var now: Timestamp {
        get { state.withLockedValue { $0.now } }
        set { state.withLockedValue { $0.now = newValue } }
    }
    var appAppleId: Int64? {
        get { state.withLockedValue { $0.appAppleId } }
        set { state.withLockedValue { $0.appAppleId = newValue } }
    }
    /// Paths that were called, in order.
    var calls: [String] { state.withLockedValue { $0.calls } }
    var bodies: [String] { state.withLockedValue { $0.bodies } }

    func knows(_ transactions: SignedTransaction...) {
        state.withLockedValue { state in
            for transaction in transactions { state.transactions[transaction.transactionId] = transaction }
        }
    }

    func sent(_ payloads: [String]) { state.withLockedValue { $0.notifications = payloads } }

    /// A notification of a purchase, as Apple signs it.
    func notification(_ uuid: String, _ transaction: SignedTransaction) throws -> String {
        let signed = try signer.sign(transaction: transaction)
        let json = """
            {"notificationType":"ONE_TIME_CHARGE","notificationUUID":"\(uuid)","version":"2.0",\
            "signedDate":\(Sample.start.milliseconds),"data":{"bundleId":"com.example.game",\
            "environment":"Production","signedTransactionInfo":"\(signed)"}}
            """
        return try signer.sign(payload: Array(json.utf8))
    }

    func says(_ json: String) { state.withLockedValue { $0.receipt = json } }

    /// The settings of a group that may ask these APIs.
    func settings(
        _ apis: Set<AppleAPI>,
        secret: String? = nil,
        appAppleId: Int64? = nil
    ) throws -> AppleSettings {
        var app = AppleAccess.App()
        app.appAppleId = appAppleId
        if apis.contains(.serverAPI) {
            app.key = AppStoreServerKey(
                issuerId: "issuer",
                keyId: "KEY",
                bundleId: Sample.app,
                pem: P256.Signing.PrivateKey().pemRepresentation
            )
        }
        app.asksVerifyReceipt = apis.contains(.verifyReceipt)
        app.sharedSecret = secret
        let clock = ClientClock(now: { self.now }, sleep: { _ in }, random: { 0 })
        return AppleSettings(
            access: try AppleAccess(
                apps: [Sample.app: app],
                partitions: ReceiptsGroup.partitions,
                serverAPI: AppleAddresses(production: "api:", sandbox: "sandbox:"),
                verifyReceipt: AppleAddresses(production: "verifyReceipt", sandbox: "sandbox"),
                transport: self,
                clock: clock
            ),
            readingInterval: 600_000,
            verifiers: AppleVerifiers(extraRoots: [signer.rootDER])
        )
    }

    func execute(_ call: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        let (mood, known) = state.withLockedValue { state in
            state.calls.append(call.url)
            state.bodies.append(String(decoding: call.body ?? [], as: UTF8.self))
            return (state.mood, state)
        }
        switch mood {
        case .down: throw .unreachable
        case .refusesKey: return AppleHTTPResponse(status: 401)
        case .knowsNothing: return AppleHTTPResponse(status: 404, body: Array(#"{"errorCode":4040010}"#.utf8))
        case .well: break
        }
        do {
            return try answer(call.url, known)
        } catch {
            throw .unreachable
        }
    }

    private func answer(_ url: String, _ known: State) throws -> AppleHTTPResponse {
        if url == "verifyReceipt" { return AppleHTTPResponse(status: 200, body: Array(known.receipt.utf8)) }
        let path = url.split(separator: "?")[0]
        if path.hasPrefix("api:/inApps/v1/transactions/") {
            guard let one = known.transactions[String(path.split(separator: "/").last ?? "")] else {
                return AppleHTTPResponse(status: 404, body: Array(#"{"errorCode":4040010}"#.utf8))
            }
            return Self.json(["signedTransactionInfo": try signer.sign(transaction: one)])
        }
        if path.hasPrefix("api:/inApps/v2/history/") {
            let isRevoked = url.contains("revoked=true")
            let all = known.transactions.values.filter { !isRevoked || $0.revocationDate != nil }
                .sorted { $0.transactionId < $1.transactionId }
            return Self.json(try all.map { try signer.sign(transaction: $0) }, known.appAppleId)
        }
        if path == "api:/inApps/v1/notifications/history" {
            let items = known.notifications.map { #"{"signedPayload":"\#($0)"}"# }
            let text = #"{"hasMore":false,"notificationHistory":[\#(items.joined(separator: ","))]}"#
            return AppleHTTPResponse(status: 200, body: Array(text.utf8))
        }
        return AppleHTTPResponse(status: 404, body: Array(#"{"errorCode":4040010}"#.utf8))
    }

    private static func json(_ fields: [String: String]) -> AppleHTTPResponse {
        let text = fields.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
        return AppleHTTPResponse(status: 200, body: Array("{\(text)}".utf8))
    }

    private static func json(_ transactions: [String], _ appAppleId: Int64?) -> AppleHTTPResponse {
        let app = appAppleId.map { #","appAppleId":\#($0)"# } ?? ""
        let list = transactions.map { "\"\($0)\"" }.joined(separator: ",")
        let text = #"{"revision":"end","hasMore":false,"signedTransactions":[\#(list)]\#(app)}"#
        return AppleHTTPResponse(status: 200, body: Array(text.utf8))
    }
}

extension ReceiptsGroup {
    /// Makes the attempts that a partition has due now, and writes what comes of them.
    @discardableResult
    func askApple(
        _ partition: Int
    ) async throws -> (jobs: [String], sent: [OutgoingEvent], next: Timestamp?) {
        guard service.worker != nil else { return ([], [], nil) }
        let (items, next) = try dueWork(partition)
        var sent: [OutgoingEvent] = []
        let jobs = items.filter { $0.key != RevocationMonitor.key }
        for item in jobs { sent += try finish(item, await perform(item), partition).sent }
        return (jobs.map(\.key), sent, next)
    }

    private func dueWork(_ partition: Int) throws -> (items: [WorkItem], next: Timestamp?) {
        let worker = try #require(service.worker)
        return try run(partition) { context in
            try worker.due(
                context.connection,
                of: context.address,
                now: context.now,
                limit: worker.concurrency,
                excluding: []
            )
        }.outcome
    }

    /// The due items of a kind.
    func due(_ kind: String, _ partition: Int) throws -> [WorkItem] {
        try dueWork(partition).items.filter { $0.key.contains(kind) }
    }

    func perform(_ item: WorkItem) async throws -> [UInt8] {
        try await #require(service.worker).perform(item)
    }

    /// Writes what came of an item, as often as a process that dies may.
    func finish(
        _ item: WorkItem,
        _ result: [UInt8],
        _ partition: Int
    ) throws -> (outcome: [String], sent: [OutgoingEvent]) {
        let worker = try #require(service.worker)
        return try run(partition) { context in
            try worker.finish(item, result: result, in: &context)
            return context.alarms
        }
    }

    /// Lets time pass, for Apple too.
    func pass(_ milliseconds: Int64, with apple: AskedApple) {
        harness.now = harness.now.advanced(by: milliseconds)
        apple.now = harness.now
    }
}
