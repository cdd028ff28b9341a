import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import LoadVerdict
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import TestKit

/// The way from phones to the gateway: it sees what they are told, and they may die on it.
final class KitGate: Sendable {
    /// Most bytes of a request.
    private static let mostBytes = 256 << 10
    /// How long the gateway may take; phones ask it to wait up to 20 s.
    private static let limit = TimeAmount.seconds(30)

    private let gateway: HTTPConnections
    private let apiKey: String
    private let phones = NIOLockedValueBox<[String: KitPhone]>([:])
    private let port = NIOLockedValueBox(0)
    private let (listening, listens) = AsyncStream<Void>.makeStream()

    /// - Throws: `HarnessFault` when the URL is not `http://host:port`.
    init(to url: String, apiKey: String) throws {
        gateway = try HTTPConnections(to: url)
        self.apiKey = apiKey
    }

    /// Where phones find it.
    var url: String { "http://127.0.0.1:\(port.withLockedValue { $0 })" }

    /// Returns when it listens; to be called once.
    func awaitListening() async { for await _ in listening { return } }

    func admit(_ phone: KitPhone) { phones.withLockedValue { $0[phone.token] = phone } }

    func forget(_ phone: KitPhone) { phones.withLockedValue { $0[phone.token] = nil } }

    /// Listens until it is cancelled.
    func run(_ context: LoadContext) async throws {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { [self] request, _ in
                try await pass(request, context)
            }
        }
        let application = Application(
            router: router,
            server: .http1Connections,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { [port, listens] channel in
                port.withLockedValue { $0 = channel.localAddress?.port ?? 0 }
                listens.yield()
            },
            logger: Logger(label: "gate") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.run()
    }

    private func pass(_ request: Request, _ context: LoadContext) async throws -> Response {
        let token = (request.headers[.authorization] ?? "").replacing("Bearer ", with: "")
        guard let phone = phones.withLockedValue({ $0[token] }) else {
            return Response(status: .unauthorized)
        }
        let body = try await request.body.collect(upTo: Self.mostBytes)
        let path = request.uri.string
        let payment = phone.note { $0.request(path, Data(body.readableBytesView)) }
        // What a phone sends as it dies arrives, or does not.
        if phone.passPoint(isSending: payment != nil), Bool.random() { return Response(status: .badGateway) }
        guard let reply = await forward(request, path, body, context) else {
            return Response(status: .badGateway)
        }
        if let payment {
            try await judge(reply, payment, phone, context)
        } else if path.hasPrefix("/v1/orders") {
            noteOrder(reply, phone, context)
        }
        phone.passPoint()
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.retryAfter] = reply.headers[.retryAfter]
        return Response(
            status: .init(code: reply.status),
            headers: headers,
            body: ResponseBody(byteBuffer: reply.body)
        )
    }

    /// The gateway's answer; nil where it has none.
    private func forward(
        _ request: Request,
        _ path: String,
        _ body: ByteBuffer,
        _ context: LoadContext
    ) async -> HTTPReply? {
        var headers = [("Authorization", "Bearer \(apiKey)")]
        for name in ["Idempotency-Key", "Accept-Language"] {
            if let name = HTTPField.Name(name), let value = request.headers[name] {
                headers.append((name.rawName, value))
            }
        }
        do {
            let reply = try await gateway.send(
                HTTPMethod(rawValue: request.method.rawValue),
                path,
                headers: headers,
                body: body.readableBytes > 0 ? body : nil,
                within: Self.limit
            )
            if reply.status >= 500 { context.note { $0.noteError("\(reply.status)") } }
            return reply
        } catch {
            context.note { $0.noteError((error as? HTTPConnections.Fault)?.rawValue ?? "\(type(of: error))") }
            return nil
        }
    }

    /// What the phone will be told is in the journal before it is.
    private func judge(
        _ reply: HTTPReply,
        _ payment: UInt64,
        _ phone: KitPhone,
        _ context: LoadContext
    ) async throws {
        guard reply.isPositive else {
            let isLater = reply.status >= 500 || [408, 429].contains(reply.status)
            if !isLater { context.note { $0.noteRejection("\(reply.status) \(reply.text)") } }
            return
        }
        let answer = try reply.json(VerdictAnswer.self)
        var line = JournalLine(
            phone.watch.acknowledged.contains(payment) ? .answered : .accepted,
            transaction: String(payment)
        )
        (line.receiptId, line.verdict) = (answer.receiptId, answer.verdict)
        try await context.journal.add(line)
        if phone.note({ $0.answer(answer, status: reply.status, of: payment) }) {
            context.note { $0.noteAcknowledgement(payment) }
        }
        let meaning = context.note { $0.note(answer, to: payment, isStranger: false) }
        if meaning == .granted, let start = phone.takeStart(of: payment) {
            context.note { $0.noteGrant(microseconds: WallClock.microseconds - start) }
        }
    }

    /// An order is known as soon as the gateway has said it, whether or not the phone hears it.
    private func noteOrder(_ reply: HTTPReply, _ phone: KitPhone, _ context: LoadContext) {
        struct Open: Decodable { let order: OrderAnswer }

        do {
            let order: OrderAnswer
            switch reply.status {
            case 201: order = try reply.json()
            case 409:
                order = try reply.json(Open.self).order
                // One that is paid may have been made on the spot, for a payment whose own order another one had.
                guard order.state == "issued" else { return }
            case _: return
            }
            phone.keep(order)
            let placed = PlacedOrder(buyer: Int32(phone.buyer), product: UInt8(phone.product))
            context.note { $0.orders.place(order.orderId, placed) }
        } catch {
            // Another conflict than an open order.
        }
    }
}
