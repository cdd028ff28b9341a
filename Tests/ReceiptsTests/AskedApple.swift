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
@dynamicMemberLookup
final class AskedApple: AppleTransport {
    enum Mood: Sendable { case well, down, refusesKey }

    struct State {
        var mood = Mood.well
        var transactions: [String: SignedTransaction] = [:]
        /// What was bought under orders of Apple's own.
        var orders: [String: [SignedTransaction]] = [:]
        /// The ids of those that histories do not list yet.
        var unlisted: Set<String> = []
        var notifications: [String] = []
        /// The JSON of `verifyReceipt`'s answer.
        var receipt = #"{"status":21005}"#
        /// Apple's number for the app, where it says so.
        var appAppleId: Int64?
        /// How subscriptions stand: the last period, and what is said of its renewal, as JSON.
        var statuses: [(period: SignedTransaction, renewal: String)] = []
        /// With which code the answer to a consumption request is refused; nil where it is taken.
        var refusal: Int?
        var now = Sample.start
        /// Ms of the monotonic clock of who asks.
        var uptime: Int64 = 0
        /// Whether no customer of Apple's has the transactions that it is asked about.
        var knowsNobody = false
        /// How paths begin whose limit is reached, and until when.
        var limited: [String: Timestamp] = [:]
        /// Paths that were called, in order.
        var calls: [String] = []
        var bodies: [String] = []
    }

    let signer: AppStoreSigner
    private let state = NIOLockedValueBox(State())
    /// What happens while the next call is under way; of the one test that uses it.
    nonisolated(unsafe) var meanwhile: (() throws -> Void)?

    init() throws { signer = try AppStoreSigner() }

    subscript<Value>(dynamicMember path: WritableKeyPath<State, Value>) -> Value {
        get { state.withLockedValue { $0[keyPath: path] } }
        set { state.withLockedValue { $0[keyPath: path] = newValue } }
    }

    func knows(_ transactions: SignedTransaction...) {
        for transaction in transactions { self.transactions[transaction.transactionId] = transaction }
    }

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

    /// The settings of a group that may ask these APIs.
    func settings(
        _ apis: Set<AppleAPI>,
        secret: String? = nil,
        appAppleId: Int64? = nil
    ) throws -> AppleSettings {
        var app = AppleAccess.App(appAppleId: appAppleId, sharedSecret: secret)
        if apis.contains(.serverAPI) {
            app.key = AppStoreServerKey(
                issuerId: "issuer",
                keyId: "KEY",
                bundleId: Sample.app,
                pem: P256.Signing.PrivateKey().pemRepresentation
            )
        }
        app.asksVerifyReceipt = apis.contains(.verifyReceipt)
        let clock = ClientClock(
            now: { self.now },
            uptime: { self.uptime },
            sleep: { _ in },
            random: { 0 }
        )
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
        do {
            try meanwhile?()
        } catch {
            Issue.record(error)
        }
        meanwhile = nil
        switch mood {
        case .down: throw .unreachable
        case .refusesKey: return AppleHTTPResponse(status: 401)
        case .well: break
        }
        do {
            return try answer(call.url, known)
        } catch {
            throw .unreachable
        }
    }

    private func answer(_ url: String, _ known: State) throws -> AppleHTTPResponse {
        if url == "verifyReceipt" { return Self.json(known.receipt) }
        let path = url.split(separator: "?")[0]
        if let (_, until) = known.limited.first(where: { path.hasPrefix($0.key) }) {
            let retryAfter = String(until.milliseconds)
            return AppleHTTPResponse(
                status: 429,
                retryAfter: retryAfter,
                body: Array(#"{"errorCode":4290000}"#.utf8)
            )
        }
        if known.knowsNobody { return Self.json(#"{"errorCode":4040010}"#, status: 404) }
        if path.hasPrefix("api:/inApps/v1/transactions/"),
            let one = known.transactions[String(path.split(separator: "/").last ?? "")]
        {
            return Self.json(#"{"signedTransactionInfo":"\#(try signer.sign(transaction: one))"}"#)
        }
        if path.hasPrefix("api:/inApps/v2/history/") {
            let isRevoked = url.contains("revoked=true")
            let all = known.transactions.values
                .filter {
                    !known.unlisted.contains($0.transactionId) && (!isRevoked || $0.revocationDate != nil)
                }
                .sorted { $0.transactionId < $1.transactionId }
            let list = try all.map { #""\#(try signer.sign(transaction: $0))""# }.joined(separator: ",")
            let app = known.appAppleId.map { #","appAppleId":\#($0)"# } ?? ""
            return Self.json(#"{"revision":"end","hasMore":false,"signedTransactions":[\#(list)]\#(app)}"#)
        }
        if path.hasPrefix("api:/inApps/v1/lookup/") {
            let bought = known.orders[String(path.split(separator: "/").last ?? "")] ?? []
            let list = try bought.map { #""\#(try signer.sign(transaction: $0))""# }.joined(separator: ",")
            return Self.json(#"{"status":\#(bought.isEmpty ? 1 : 0),"signedTransactions":[\#(list)]}"#)
        }
        if path.hasPrefix("api:/inApps/v1/subscriptions/"), !known.statuses.isEmpty {
            let items = try known.statuses.map { status in
                let period = try signer.sign(transaction: status.period)
                let renewal = try signer.sign(payload: Array(status.renewal.utf8))
                return #"{"status":4,"signedTransactionInfo":"\#(period)","signedRenewalInfo":"\#(renewal)"}"#
            }
            return Self.json(#"{"data":[{"lastTransactions":[\#(items.joined(separator: ","))]}]}"#)
        }
        if path.hasPrefix("api:/inApps/v2/transactions/consumption/") {
            let refusal = known.refusal.map { Self.json(#"{"errorCode":\#($0)}"#, status: $0 / 10_000) }
            return refusal ?? AppleHTTPResponse(status: 202)
        }
        if path == "api:/inApps/v1/notifications/history" {
            let items = known.notifications.map { #"{"signedPayload":"\#($0)"}"# }
            return Self.json(
                #"{"hasMore":false,"notificationHistory":[\#(items.joined(separator: ","))]}"#
            )
        }
        return Self.json(#"{"errorCode":4040010}"#, status: 404)
    }

    private static func json(_ text: String, status: Int = 200) -> AppleHTTPResponse {
        AppleHTTPResponse(status: status, body: Array(text.utf8))
    }
}

extension ReceiptsGroup {
    /// Makes the attempts that a partition has due now, and writes what comes of them.
    @discardableResult
    func askApple(
        _ partition: Int
    ) async throws -> (jobs: [String], sent: [OutgoingEvent], next: Timestamp?) {
        guard service.worker != nil else { return ([], [], nil) }
        let due = try dueWork(partition)
        var sent: [OutgoingEvent] = []
        let jobs = due.items.filter { $0.key != RevocationMonitor.key }
        for item in jobs { sent += try finish(item, await perform(item), partition).sent }
        return (jobs.map(\.key), sent, due.next)
    }

    private func dueWork(
        _ partition: Int,
        limit: Int? = nil,
        underWay: Set<String>? = nil,
        excluding inHand: Set<String> = []
    ) throws -> DueWork {
        harness.service = service
        return try harness.due(partition, limit: limit, underWay: underWay, excluding: inHand)
    }

    /// The due items of a kind, where so many more may be begun and others are in hand; of these all are under way, or
    /// those in `underWay`.
    func due(
        _ kind: String,
        _ partition: Int,
        limit: Int? = nil,
        underWay: Set<String>? = nil,
        excluding inHand: Set<String> = []
    ) throws -> [WorkItem] {
        try dueWork(partition, limit: limit, underWay: underWay, excluding: inHand).items.filter {
            $0.key.contains(kind)
        }
    }

    func perform(_ item: WorkItem) async throws -> [UInt8] {
        guard item.timer == nil else { return [] }
        return try await #require(service.worker).perform(item)
    }

    /// Writes what came of an item, as often as a process that dies may.
    func finish(
        _ item: WorkItem,
        _ result: [UInt8],
        _ partition: Int
    ) throws -> (outcome: [String], sent: [OutgoingEvent]) {
        let service = self.service
        let worker = try #require(service.worker)
        return try run(partition) { context in
            if let timer = item.timer {
                try service.timers[timer].run(item.key, in: context)
            } else {
                try worker.finish(item, result: result, in: context)
            }
            return context.alarms.map(\.text)
        }
    }

    /// Has a partition ask Apple.
    func ask(
        _ subject: AppleQuery.Subject,
        _ urgency: AppleQuery.Urgency = .awaited,
        in partition: Int
    ) throws {
        _ = try run(partition) { try AppleQueries($0).ask(subject, of: Sample.app, urgency) }
    }

    /// Has a partition ask for the history of a transaction.
    func askHistory(of id: String, in partition: Int) throws {
        let history = HistoryQuery(environment: .production, transactionId: TransactionID(unchecked: id))
        try ask(.history(history), in: partition)
    }

    /// Lets time pass, for Apple too.
    func pass(_ milliseconds: Int64, with apple: AskedApple) {
        jump(milliseconds, with: apple)
        apple.uptime += milliseconds
    }

    /// Sets the wall clock forward, for Apple too.
    func jump(_ milliseconds: Int64, with apple: AskedApple) {
        harness.now = harness.now.advanced(by: milliseconds)
        apple.now = harness.now
    }
}
