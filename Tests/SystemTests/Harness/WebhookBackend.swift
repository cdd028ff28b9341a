import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import TestKit

/// A game's own server: takes webhooks and remembers them, as long as the test holds it.
final class WebhookBackend: Sendable {
    /// What the tests read of a webhook's body.
    struct Webhook: Decodable, Sendable {
        private struct Body: Decodable {
            struct Transaction: Decodable { let transactionId: String }
            let transaction: Transaction
        }

        let id: String
        private let data: Body

        var transactionId: String { data.transaction.transactionId }
    }

    let url: String
    private let channel: any Channel
    private let webhooks: NIOLockedValueBox<[Webhook]>

    private init(_ channel: any Channel, _ webhooks: NIOLockedValueBox<[Webhook]>) {
        self.channel = channel
        self.webhooks = webhooks
        url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/hook"
    }

    static func start() async throws -> WebhookBackend {
        let webhooks = NIOLockedValueBox<[Webhook]>([])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(webhooks))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return WebhookBackend(channel, webhooks)
    }

    deinit { channel.close(promise: nil) }

    /// Everything that came in, repeats too.
    var received: [Webhook] { webhooks.withLockedValue { $0 } }

    /// Waits until each purchase was told at least once, each under one id only.
    func receives(_ purchases: [Purchase]) async throws {
        let wanted = Set(purchases.map(\.transactionId))
        try await eventually("every purchase is told to the game's server", within: .seconds(30)) {
            wanted.isSubset(of: received.map(\.transactionId))
        }
        let ids = Dictionary(grouping: received, by: \.transactionId).mapValues { Set($0.map(\.id)).count }
        guard ids.values.allSatisfy({ $0 == 1 }) else {
            throw HarnessFault("one purchase under two ids: \(ids)")
        }
    }

    /// Answers every call with 204 after it was written down.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let webhooks: NIOLockedValueBox<[Webhook]>
        private var body: [UInt8] = []

        init(_ webhooks: NIOLockedValueBox<[Webhook]>) { self.webhooks = webhooks }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: body = []
            case .body(let bytes): body += bytes.readableBytesView
            case .end: answer(context, isGood: isRead())
            }
        }

        private func answer(_ context: ChannelHandlerContext, isGood: Bool) {
            let head = HTTPResponseHead(
                version: .http1_1,
                status: isGood ? .noContent : .badRequest,
                headers: isGood ? [:] : ["Content-Length": "0"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func isRead() -> Bool {
            do {
                let webhook = try JSONDecoder().decode(Webhook.self, from: Data(body))
                webhooks.withLockedValue { $0.append(webhook) }
                return true
            } catch {
                return false
            }
        }
    }
}
