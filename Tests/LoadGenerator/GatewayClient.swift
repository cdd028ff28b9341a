import Foundation
import NIOCore
import NIOHTTP1

/// What came of one request.
enum Reply<Value: Sendable>: Sendable {
    /// Any 2xx.
    case answered(Value, status: Int)
    /// A 4xx: the same request will never be answered otherwise.
    case rejected(String)
    /// No 2xx and no 4xx: nothing is known, and the same request may be sent again.
    case failed(String)
}

/// The gateway as a phone sees it.
struct GatewayClient: Sendable {
    /// How long an answer is waited for beyond what the gateway was asked to wait, in seconds.
    static let patienceSeconds: Int64 = 6
    /// How long the gateway is asked to wait for a verdict, in ms.
    static let waitMilliseconds = 5_000

    let bundleID: String
    private let authority: String
    private let authorization: String
    private let connections: GatewayConnections
    private static let encoder = JSONEncoder()
    private static let decoder = JSONDecoder()

    /// A client of the gateway at `http://host:port`.
    ///
    /// - Throws: `WrongUse` when the URL is none of that kind.
    init(gateway: String, apiKey: String, bundleID: String) throws(WrongUse) {
        guard let url = URL(string: gateway), url.scheme == "http", let host = url.host(), let port = url.port
        else {
            throw WrongUse(description: "--gateway must be http://host:port")
        }
        self.bundleID = bundleID
        authority = "\(host):\(port)"
        authorization = "Bearer \(apiKey)"
        connections = GatewayConnections(host: host, port: port)
    }

    /// Runs tasks where the connections are.
    var executor: LoopExecutor { connections.executor }

    func shutdown() async throws { try await connections.shutdown() }

    /// `POST /v1/orders`.
    func issue(_ order: OrderRequest, key: String) async -> Reply<OrderAnswer> {
        await post("/v1/orders", headers: [("Idempotency-Key", key)], order)
    }

    /// `POST /v1/orders/{orderId}/close`.
    func close(_ order: UUID) async -> Reply<OrderAnswer> {
        await post("/v1/orders/\(order.uuidString.lowercased())/close", headers: [], ["reason": "expired"])
    }

    /// `POST /v1/receipts`.
    ///
    /// The proof needs no escaping, and is as long as everything else together is short.
    func submit(_ submission: SubmissionRequest, proof: String) async -> Reply<ReceiptAnswer> {
        do {
            var body = try Self.encoder.encode(submission).dropLast()
            body.append(contentsOf: #","signedTransaction":""#.utf8)
            body.append(contentsOf: proof.utf8)
            body.append(contentsOf: #""}"#.utf8)
            let path = "/v1/receipts?wait=\(Self.waitMilliseconds)"
            return await send(.POST, path, body: ByteBuffer(bytes: body), waits: Self.waitMilliseconds)
        } catch {
            return .rejected("\(error)")
        }
    }

    /// `GET /v1/receipts/{receiptId}`.
    func verdict(_ receipt: String) async -> Reply<ReceiptAnswer> {
        await send(
            .GET,
            "/v1/receipts/\(receipt)?wait=\(Self.waitMilliseconds)",
            waits: Self.waitMilliseconds
        )
    }

    /// `GET /v1/buyers/{buyerId}/ledger`.
    func ledger(of buyer: String, after entry: String?, limit: Int = 1_000) async -> Reply<LedgerAnswer> {
        let after = entry.map { "&after=\($0)" } ?? ""
        return await send(.GET, "/v1/buyers/\(buyer)/ledger?limit=\(limit)\(after)")
    }

    private func post<Answer: Decodable & Sendable>(
        _ path: String,
        headers: [(String, String)],
        _ body: some Encodable
    ) async -> Reply<Answer> {
        do {
            let bytes = ByteBuffer(bytes: try Self.encoder.encode(body))
            return await send(.POST, path, headers: headers, body: bytes)
        } catch {
            return .rejected("\(error)")
        }
    }

    private func send<Answer: Decodable & Sendable>(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: ByteBuffer? = nil,
        waits: Int = 0
    ) async -> Reply<Answer> {
        var headers = HTTPHeaders(
            [("Host", authority), ("Authorization", authorization)] + headers
        )
        if let body {
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Content-Length", value: String(body.readableBytes))
        }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        let patience = TimeAmount.seconds(Self.patienceSeconds) + .milliseconds(Int64(waits))
        do {
            let answer = try await connections.exchange(head, body, within: patience)
            return try Self.read(answer.body, status: answer.status)
        } catch {
            return .failed(Self.word(for: error))
        }
    }

    private static func read<Answer: Decodable>(_ body: ByteBuffer, status: Int) throws -> Reply<Answer> {
        switch status {
        case 200..<300:
            return .answered(
                try decoder.decode(Answer.self, from: Data(body.readableBytesView)),
                status: status
            )
        case 408, 429: return .failed("\(status)")
        case 400..<500:
            return .rejected("\(status) \(String(decoding: body.readableBytesView, as: UTF8.self))")
        default: return .failed("\(status)")
        }
    }

    /// A short word for the report; never more than a handful of different ones.
    private static func word(for error: any Error) -> String {
        switch error {
        case is DecodingError: "unreadable"
        case is CancellationError: "cancelled"
        case let fault as GatewayConnections.Fault: fault.rawValue
        default: "\(type(of: error))"
        }
    }
}
