import TestKit
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// A game's own server: takes webhooks and remembers what they said.
final class WebhookBackend: Sendable {
    /// One webhook that came in.
    struct Delivery: Sendable {
        let id: String
        let buyer: String
        let transactionId: String
        let signature: String
    }

    private struct Body: Decodable {
        struct Data: Decodable {
            struct Transaction: Decodable { let transactionId: String }
            let buyerId: String
            let transaction: Transaction
        }
        let id: String
        let data: Data
    }

    let url: String
    private let channel: any Channel
    private let deliveries: NIOLockedValueBox<[Delivery]>

    private init(_ channel: any Channel, _ deliveries: NIOLockedValueBox<[Delivery]>) {
        self.channel = channel
        self.deliveries = deliveries
        url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/hook"
    }

    /// Listens at a free port.
    static func start() async throws -> WebhookBackend {
        let deliveries = NIOLockedValueBox<[Delivery]>([])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(deliveries))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return WebhookBackend(channel, deliveries)
    }

    func stop() async throws { try await channel.close() }

    /// Everything that came in, repeats too.
    var received: [Delivery] { deliveries.withLockedValue { $0 } }

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

        private let deliveries: NIOLockedValueBox<[Delivery]>
        private var body: [UInt8] = []
        private var signature = ""

        init(_ deliveries: NIOLockedValueBox<[Delivery]>) { self.deliveries = deliveries }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                body = []
                signature = head.headers.first(name: "Counterfoil-Signature") ?? ""
            case .body(let bytes): body += bytes.readableBytesView
            case .end: answer(context)
            }
        }

        private func answer(_ context: ChannelHandlerContext) {
            let isGood = note()
            let head = HTTPResponseHead(
                version: .http1_1,
                status: isGood ? .noContent : .badRequest,
                headers: isGood ? [:] : ["Content-Length": "0"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func note() -> Bool {
            do {
                let told = try JSONDecoder().decode(Body.self, from: Foundation.Data(body))
                let delivery = Delivery(
                    id: told.id,
                    buyer: told.data.buyerId,
                    transactionId: told.data.transaction.transactionId,
                    signature: signature
                )
                deliveries.withLockedValue { $0.append(delivery) }
                return true
            } catch {
                return false
            }
        }
    }
}
