import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// A gateway that grants every proof at once, after it has failed a few times.
final class GrantingGateway: Sendable {
    private struct Entry: Encodable {
        let entryId: String
        let kind = "grant"
        let entitlement = "coins"
        let amount = 120
        let from = "apple:coins.120"
        let to: String
        let transactionId: String
        let orderId: String
        let time: Int64
    }

    private struct State {
        var failures: Int
        /// In the order of their grants; one a transaction, whose id is theirs.
        var entries: [Entry] = []
        var orders: Set<String> = []
    }

    private struct Proof: Decodable {
        let buyerId: String
        let signedTransaction: String
    }

    private struct Transaction: Decodable {
        let transactionId: String
        let appAccountToken: String?
    }

    private let state: NIOLockedValueBox<State>
    private let (ports, port) = AsyncStream<Int>.makeStream()

    /// `failures`: how many proofs are answered 503 first.
    init(failures: Int) { state = NIOLockedValueBox(State(failures: failures)) }

    /// Where it listens; to be asked once.
    func url() async -> String {
        for await port in ports { return "http://127.0.0.1:\(port)" }
        return ""
    }

    /// Listens until it is cancelled.
    func run() async throws {
        let router = Router()
        router.post("v1/orders") { _, _ in
            let id = UUID().uuidString.lowercased()
            return Self.json(#"{"orderId":"\#(id)","appAccountToken":"\#(id)","state":"issued"}"#, .created)
        }
        router.post("v1/receipts") { [self] request, _ in
            let body = try await request.body.collect(upTo: 64 << 10)
            return try take(try JSONDecoder().decode(Proof.self, from: Data(body.readableBytesView)))
        }
        router.get("v1/buyers/:buyer/ledger") { [self] request, context in
            let buyer = try context.parameters.require("buyer")
            let after = request.uri.queryParameters["after"].map(String.init)
            let entries = state.withLockedValue { state in
                let read = state.entries.firstIndex { $0.entryId == after }.map { $0 + 1 } ?? 0
                return state.entries[read...].filter { $0.to == "buyer:\(buyer)" }
            }
            return Self.json(
                #"{"entries":\#(String(decoding: try JSONEncoder().encode(entries), as: UTF8.self))}"#
            )
        }
        for path in ["v1/orders/:id/log", "v1/orders/:id/report"] {
            router.post(RouterPath(path)) { _, _ in Self.json(#"{"message":"sorry"}"#) }
        }
        let application = Application(
            router: router,
            server: .http1Connections,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { [port] channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "gateway") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.run()
    }

    private func take(_ proof: Proof) throws -> Response {
        let parts = proof.signedTransaction.split(separator: ".")
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        let payload = Data(base64Encoded: text) ?? Data()
        let transaction = try JSONDecoder().decode(Transaction.self, from: payload)
        let id = transaction.transactionId
        let isGranted = state.withLockedValue { state in
            guard state.failures == 0 else {
                state.failures -= 1
                return false
            }
            guard !state.entries.contains(where: { $0.entryId == id }) else { return true }
            // A token pays its order once; another payment with it gets an order of its own.
            let named = transaction.appAccountToken?.lowercased()
            let order = named.flatMap { state.orders.insert($0).inserted ? $0 : nil }
            state.entries.append(
                Entry(
                    entryId: id,
                    to: "buyer:\(proof.buyerId)",
                    transactionId: id,
                    orderId: order ?? UUID().uuidString,
                    time: 1
                )
            )
            return true
        }
        return isGranted
            ? Self.json(#"{"receiptId":"r\#(id)","verdict":"granted","finish":true,"transactions":[]}"#)
            : Self.json(#"{"code":"unavailable"}"#, .serviceUnavailable)
    }

    private static func json(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
