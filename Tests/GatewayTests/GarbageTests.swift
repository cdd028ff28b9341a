import Contracts
import Delivery
import HTTPTypes
import NIOCore
import Testing

@testable import Gateway

@Suite struct `Garbage` {
    private static let posts = [
        "/v1/orders", "/v1/receipts", "/v1/orders/\(FakeCaller.orderID)/close", "/v1/apple/notifications",
        "/v1/apple/notifications",
    ]
    private static let valid = [
        #"{"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100","quantity":2,"metadata":{"a":[1]}}"#,
        #"{"bundleId":"com.example.game","buyerId":"b1","orderId":"x","signedTransaction":"e30.e30.AA"}"#,
        #"{"reason":"failed"}"#,
        #"{"signedPayload":"e30.eyJub3RpZmljYXRpb25VVUlEIjoiYSJ9.AA"}"#,
        #"{"notification_type":"REFUND","bid":"com.example.game","password":"\#(TestGateway.sharedSecret)","unified_receipt":{"latest_receipt_info":[{"transaction_id":7}]}}"#,
    ]
    private static let rounds = 400

    @Test(arguments: 0..<posts.count, [1, 2, 3] as [UInt64])
    func `never makes a fault of the gateway`(_ post: Int, _ seed: UInt64) async throws {
        let statuses = try await TestGateway().test { client in
            var generator = SplitMix64(state: seed)
            var statuses: [Int: Int] = [:]
            let key = try #require(HTTPField.Name("Idempotency-Key"))
            for round in 0..<Self.rounds {
                let body = ByteBuffer(bytes: Self.garbage(Self.valid[post], round, &generator))
                let response = try await client.send(.post, Self.posts[post], headers: [key: "k"], body: body)
                statuses[response.status, default: 0] += 1
            }
            return statuses
        }
        #expect(statuses.keys.allSatisfy { $0 < 500 }, "\(statuses)")
        #expect(statuses[400] != nil && statuses[422] != nil, "the garbage is too tame: \(statuses)")
    }

    @Test func `in paths and parameters never makes a fault either`() async throws {
        let statuses = try await TestGateway().test { client in
            var generator = SplitMix64(state: 4)
            var statuses: Set<Int> = []
            for _ in 0..<Self.rounds {
                let characters = Array("/v1ordersceiptbuy%20FF?=&wait+#é\u{0}:{}*")
                let length = Int.random(in: 0..<40, using: &generator)
                let tail = String(
                    (0..<length).compactMap { _ in characters.randomElement(using: &generator) }
                )
                for start in [
                    "/", "/v1/orders/", "/v1/receipts?wait=", "/v1/buyers/", "/v1/buyers/b/ledger?",
                ] {
                    statuses.insert(try await client.get(start + tail).status)
                }
            }
            return statuses
        }
        #expect(statuses.allSatisfy { $0 < 500 }, "\(statuses)")
    }

    /// Random bytes, a valid body with some bytes changed, cut or doubled, or values of the wrong kind.
    private static func garbage(_ valid: String, _ round: Int, _ generator: inout SplitMix64) -> [UInt8] {
        var bytes = Array(valid.utf8)
        switch round % 4 {
        case 0:
            let length = Int.random(in: 0..<300, using: &generator)
            return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        case 1:
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            }
        case 2:
            let cut = Int.random(in: 0..<bytes.count, using: &generator)
            bytes = Bool.random(using: &generator) ? Array(bytes[..<cut]) : bytes + bytes[cut...]
        default:
            let names = ["bundleId", "buyerId", "productId", "quantity", "metadata", "orderId", "reason"]
            let members = names.map { "\"\($0)\":\(value(depth: 0, &generator))" }
            bytes = Array("{\(members.joined(separator: ","))}".utf8)
        }
        return bytes
    }

    private static func value(depth: Int, _ generator: inout SplitMix64) -> String {
        let scalars = [
            "null", "true", "-0", "1e999", "1e-999", "0.1", "9223372036854775808", "\"\"", "\"\\uD800\"",
        ]
        guard depth < 6, Int.random(in: 0..<3, using: &generator) == 0 else {
            return scalars.randomElement(using: &generator) ?? "0"
        }
        let inner = value(depth: depth + 1, &generator)
        return Bool.random(using: &generator) ? "[\(inner),\(inner)]" : "{\"bundleId\":\(inner)}"
    }
}
