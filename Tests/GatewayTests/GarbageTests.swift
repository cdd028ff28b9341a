import HTTPTypes
import NIOCore
import TestKit
import Testing

@Suite struct `Garbage` {
    private static let posts = [
        "/v1/orders", "/v1/receipts", "/v1/orders/\(FakeCaller.orderID)/close",
        "/v1/apple/server-notifications",
        "/v1/apple/server-notifications",
    ]
    private static let valid = [
        #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100","quantity":2,"metadata":{"a":[1]}}"#,
        #"{"bundleId":"com.example.game","buyerId":"b1","orderId":"x","signedTransaction":"e30.e30.AA"}"#,
        #"{"reason":"failed"}"#,
        #"{"signedPayload":"e30.eyJub3RpZmljYXRpb25VVUlEIjoiYSJ9.AA"}"#,
        #"{"notification_type":"REFUND","bid":"com.example.game","password":"\#(TestGateway.sharedSecret)","unified_receipt":{"latest_receipt_info":[{"transaction_id":7}]}}"#,
    ]
    private static let rounds = 400

    @Test(arguments: 0..<posts.count, 1...3)
    func `never makes a fault of the gateway`(_ post: Int, _ seed: Int) async throws {
        let gateway = TestGateway()
        var random = SeededRandom(seed: seed)
        var statuses: [Int: Int] = [:]
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        for round in 0..<Self.rounds {
            let body = ByteBuffer(bytes: Self.garbage(Self.valid[post], round, &random))
            let response = try await gateway.send(.post, Self.posts[post], headers: [key: "k"], body: body)
            statuses[response.status, default: 0] += 1
        }
        #expect(statuses.keys.allSatisfy { $0 < 500 }, "\(statuses)")
        #expect(statuses[400] != nil && statuses[422] != nil, "the garbage is too tame: \(statuses)")
    }

    @Test func `in paths and parameters never makes a fault either`() async throws {
        let gateway = TestGateway()
        var random = SeededRandom(seed: 4)
        let characters = Array("/v1ordersceiptbuy%20FF?=&wait+#é\u{0}:{}*")
        let starts = ["/", "/v1/orders/", "/v1/receipts?wait=", "/v1/buyers/", "/v1/buyers/b/ledger?"]
        var statuses: Set<Int> = []
        for _ in 0..<Self.rounds {
            let tail = String((0..<random.below(40)).map { _ in random.pick(characters) })
            for start in starts { statuses.insert(try await gateway.get(start + tail).status) }
        }
        #expect(statuses.allSatisfy { $0 < 500 }, "\(statuses)")
    }

    /// Random bytes, a valid body with some bytes changed, cut or doubled, or values of the wrong kind.
    private static func garbage(_ valid: String, _ round: Int, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(valid.utf8)
        switch round % 4 {
        case 0: bytes = (0..<random.below(300)).map { _ in random.within(.min ... .max) }
        case 1:
            for _ in 0..<random.within(1...4) {
                bytes[random.below(bytes.count)] = random.within(.min ... .max)
            }
        case 2:
            let cut = random.below(bytes.count)
            bytes = random.flip() ? Array(bytes[..<cut]) : bytes + bytes[cut...]
        default:
            let names = ["bundleId", "buyerId", "productId", "quantity", "metadata", "orderId", "reason"]
            let members = names.map { "\"\($0)\":\(value(depth: 0, &random))" }
            bytes = Array("{\(members.joined(separator: ","))}".utf8)
        }
        return bytes
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> String {
        let scalars = [
            "null", "true", "-0", "1e999", "1e-999", "0.1", "9223372036854775808", "\"\"", "\"\\uD800\"",
        ]
        guard depth < 6, random.below(3) == 0 else { return random.pick(scalars) }
        let inner = value(depth: depth + 1, &random)
        return random.flip() ? "[\(inner),\(inner)]" : "{\"bundleId\":\(inner)}"
    }
}
