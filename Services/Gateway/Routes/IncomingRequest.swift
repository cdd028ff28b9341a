import Contracts
import Domain
import HTTPTypes
import Hummingbird
import NIOCore
import Program

/// What routes read of a request, whoever makes it.
protocol IncomingRequest {
    var request: Request { get }
    var context: GatewayRequestContext { get }
    /// Counts the bytes of its body.
    var counter: ConcurrencyLimit { get }
    /// The buyer whose phones' bodies count together; nil of others.
    var phoneBuyer: AppBuyer? { get }
}

extension IncomingRequest {
    /// The decoded query parameter; nil when it is absent, 422 when it is given twice.
    func query(_ name: String) throws(Problem) -> String? {
        let values = request.uri.queryParameters[values: name[...]]
        guard values.count <= 1 else { throw .unacceptable(name, "is given more than once") }
        return values.first.map(String.init)
    }

    /// A whole number of the query; 422 when it is malformed or outside `range`.
    func query(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let text = try query(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            let rule = "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            throw .unacceptable(name, rule)
        }
        return number
    }

    /// A percent-decoded part of the path; 422 when its encoding is broken.
    func path(_ name: String) throws(Problem) -> String {
        guard let text = context.parameters.get(name)?.percentDecoded else {
            throw .unacceptable(name, "must be percent-encoded UTF-8")
        }
        return text
    }

    /// The order that the path names; 404 when no order can have this id.
    func orderID() throws(Problem) -> OrderID {
        guard let order = OrderID(rawValue: try path("orderId")) else {
            throw .notFound("No order of this app has this id.", field: "orderId")
        }
        RequestNote.add { $0.orderId = order.rawValue }
        return order
    }

    /// The environment of the query; nil when it is absent.
    func environment() throws(Problem) -> Contracts.Environment? {
        guard let text = try query("environment") else { return nil }
        let known: [Contracts.Environment] = [.production, .sandbox, .xcode, .localTesting]
        guard let environment = known.first(where: { $0.rawValue == text }) else {
            let names = known.map(\.rawValue).joined(separator: ", ")
            throw .unacceptable("environment", "must be one of \(names)")
        }
        return environment
    }

    /// The `Idempotency-Key`; 400 when it is missing or too long.
    func idempotencyKey() throws(Problem) -> String {
        let name = "Idempotency-Key"
        guard let header = HTTPField.Name(name), let key = request.headers.value(of: header) else {
            throw .unreadable("The header `\(name)` is missing.", field: name)
        }
        let isPrintable = key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        let lengths = Limits.idempotencyKeyBytes
        guard isPrintable, lengths.contains(key.utf8.count) else {
            let rule = "must be \(lengths.lowerBound) to \(lengths.upperBound) printable ASCII characters"
            throw .unreadable("The header `\(name)` \(rule).", field: name)
        }
        return key
    }

    /// The body; 422 when a member is missing, of the wrong type, there twice or not known.
    func body<Body: ExactBody>(_ type: Body.Type) async throws -> Body {
        try await withBody(upTo: .small) { try JSONBody.decode(type, from: $0) }
    }

    func withBody<Value>(
        upTo limit: BodyLimit,
        _ use: (ByteBuffer) async throws -> Value
    ) async throws -> Value {
        try await request.withBody(upTo: limit, countedBy: counter, of: phoneBuyer, use)
    }
}
