import HTTPServing
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import TestKit

/// A game's own server: takes webhooks and remembers them, as long as the test holds it.
final class WebhookBackend: Sendable {
    /// What the tests read of a webhook's body.
    struct Webhook: Decodable, Sendable {
        /// Each kind tells of some of these.
        struct Content: Decodable, Sendable {
            struct Transaction: Decodable, Sendable { let transactionId: String }
            let transaction: Transaction?
            let entitlement: String?
            let held: Bool?
            let appTransactionId: String?
            let buyerIds: [String]?
            let externalPurchaseId: String?
        }

        let id: String
        let type: String
        let data: Content

        /// Empty where none is told of.
        var transactionId: String { data.transaction?.transactionId ?? "" }
        /// The one that is held no longer; nil where something else is told of.
        var ended: String? { data.held == false ? data.entitlement : nil }
    }

    let url: String
    private let server: Task<Void, any Error>
    private let webhooks = NIOLockedValueBox<[Webhook]>([])
    /// How many calls were refused; nil while none is.
    private let refusals = NIOLockedValueBox<Int?>(nil)

    /// Starts a server that answers every call with 204 after it was written down.
    init() async throws {
        let webhooks = webhooks
        let refusals = refusals
        let router = Router()
        router.post("hook") { request, context -> HTTPResponse.Status in
            let isRefused = refusals.withLockedValue { count in
                count = count.map { $0 + 1 }
                return count != nil
            }
            if isRefused { return .serviceUnavailable }
            let webhook = try await request.decode(as: Webhook.self, context: context)
            webhooks.withLockedValue { $0.append(webhook) }
            return .noContent
        }
        let port = NIOLockedValueBox<Int?>(nil)
        let application = Application(
            router: router,
            server: .http1Connections,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.withLockedValue { $0 = channel.localAddress?.port } }
        )
        server = Task { try await application.run() }
        let bound = try await eventually("the game's server listens") { port.withLockedValue { $0 } }
        url = "http://127.0.0.1:\(bound)/hook"
    }

    deinit { server.cancel() }

    /// Everything that came in, repeats too.
    var received: [Webhook] { webhooks.withLockedValue { $0 } }

    /// Answers 503 while `body` runs.
    func refusing(_ body: () async throws -> Void) async rethrows {
        refusals.withLockedValue { $0 = 0 }
        defer { refusals.withLockedValue { $0 = nil } }
        try await body()
    }

    /// Waits until a call was refused.
    func refuses() async throws {
        try await eventually("a call is refused") { refusals.withLockedValue { $0 ?? 0 } > 0 }
    }

    /// Waits until each purchase was told at least once, each under one id only.
    func receives(_ purchases: [Purchase]) async throws {
        let wanted = Set(purchases.map(\.transactionId))
        try await eventually("every purchase is told to the game's server", within: .seconds(30)) {
            wanted.isSubset(of: received.map(\.transactionId))
        }
        let told = received.filter { wanted.contains($0.transactionId) }
        let ids = Dictionary(grouping: told, by: \.transactionId).mapValues { Set($0.map(\.id)).count }
        guard ids.values.allSatisfy({ $0 == 1 }) else {
            throw HarnessFault("one purchase under two ids: \(ids)")
        }
    }
}
