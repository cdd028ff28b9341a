import Contracts
import HTTPTypes
import NIOCore
import Testing

@testable import Gateway

@Suite struct `Bodies of requests` {
    private static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":""#

    @Test(arguments: [
        "", " ", "{", "[]", "5", "null", "\"text\"", "{\"bundleId\":}", "{'bundleId':1}", "{\"a\":\"\u{1}\"}",
        "{\"a\":1}}", "\u{FEFF}{", String(repeating: "[", count: 30_000),
        "{\"a\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}",
        "{\"metadata\":" + String(repeating: "{\"a\":", count: 8_000) + "1"
            + String(repeating: "}", count: 8_001),
    ])
    func `what is not a JSON object of reasonable depth is 400`(_ body: String) async throws {
        let response = try await TestGateway().issue(body)
        #expect(response.status == 400, "\(response.text)")
        #expect(response.headers[.contentType] == "application/problem+json")
    }

    private static let otherEncodings: [[UInt8]] = [
        Array("{\"reason\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8), [0xC3, 0x28],
        [0x7B, 0, 0x7D, 0], [0, 0x7B, 0, 0x7D], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0],
    ]

    @Test(arguments: otherEncodings)
    func `what is not UTF-8 is 400`(_ bytes: [UInt8]) async throws {
        let responses = try await TestGateway().test { client in
            let receipt = try await client.send(.post, "/v1/receipts", body: ByteBuffer(bytes: bytes))
            let path = "/v1/orders/\(FakeCaller.orderID)/close"
            return [receipt, try await client.send(.post, path, body: ByteBuffer(bytes: bytes))]
        }
        #expect(responses.map(\.status) == [400, 400])
    }

    @Test func `a body of 64 KiB is read, one byte more is 413`() async throws {
        let start = #"{"reason":"failed","x":""#
        let path = "/v1/orders/\(FakeCaller.orderID)/close"
        let gateway = TestGateway()
        let statuses = try await gateway.test { client in
            var statuses: [Int] = []
            for size in [65_536, 65_537, 500_000] {
                let body = start + String(repeating: "x", count: size - start.utf8.count - 2) + "\"}"
                statuses.append(try await client.post(path, body).status)
            }
            return statuses
        }
        #expect(statuses == [200, 413, 413])
        #expect(gateway.caller.calls.count == 1)
    }

    @Test func `a proof of 3 MiB is read, a body beyond 4 MiB is 413`() async throws {
        let gateway = TestGateway()
        let responses = try await gateway.test { client in
            var responses: [TestGateway.Response] = []
            for size in [3 << 20, (3 << 20) + 1, 5 << 20] {
                let body = Self.receipt + String(repeating: "x", count: size) + "\"}"
                responses.append(try await client.post("/v1/receipts", body))
            }
            return responses
        }
        #expect(responses.map(\.status) == [200, 413, 413])
        #expect(responses.map(\.field) == [nil, "signedTransaction", nil])
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).count == 1)
    }

    @Test func `a proof that grows on its way is measured as it grows`() async throws {
        let body = Self.receipt + String(repeating: "\\u0001", count: 600_000) + "\"}"
        let response = try await TestGateway().post("/v1/receipts", body)
        #expect(response.status == 413)
        #expect(response.field == "signedTransaction")
    }

    @Test func `large bodies beyond the bound are 503, and their share is given back`() async throws {
        let limit = ConcurrencyLimit(maximumRequests: 10, maximumBytes: 1 << 20)
        let loadShedder = LoadShedder(purchases: limit)
        let gateway = TestGateway(loadShedder: loadShedder)
        let statuses = try await gateway.test { client in
            var statuses: [Int] = []
            for size in [2 << 20, 900_000, 900_000] {
                let body = Self.receipt + String(repeating: "x", count: size) + "\"}"
                statuses.append(try await client.post("/v1/receipts", body).status)
            }
            return statuses
        }
        #expect(statuses == [503, 200, 200])
        #expect(limit.inFlight == 0)
        #expect(limit.bodyBytes == 0)
    }
}
