import Contracts
import HTTPTypes
import NIOCore
import Testing

@testable import Gateway

@Suite struct `Bodies of requests` {
    private static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":""#

    /// A submission whose proof has so many bytes.
    private static func receipt(_ size: Int) -> String {
        receipt + String(repeating: "x", count: size) + "\"}"
    }

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
        for path in ["/v1/receipts", "/v1/orders/\(FakeCaller.orderID)/close"] {
            let response = try await TestGateway().send(.post, path, body: ByteBuffer(bytes: bytes))
            #expect(response.status == 400)
        }
    }

    @Test func `a body of 64 KiB is read, one byte more is 413`() async throws {
        let start = #"{"reason":"failed""#
        let path = "/v1/orders/\(FakeCaller.orderID)/close"
        let gateway = TestGateway()
        for (size, status) in [(65_536, 200), (65_537, 413), (500_000, 413)] {
            let body = start + String(repeating: " ", count: size - start.utf8.count - 1) + "}"
            #expect(try await gateway.post(path, body).status == status)
        }
        #expect(gateway.caller.calls.count == 1)
    }

    @Test func `a proof of 9 MiB is read, a body beyond 11 MiB is 413`() async throws {
        let gateway = TestGateway()
        for (size, status, field) in [
            (9 << 20, 200, nil), ((9 << 20) + 1, 413, "signedTransaction"), (11 << 20, 413, nil),
        ] {
            let response = try await gateway.post("/v1/receipts", Self.receipt(size))
            #expect(response.status == status && response.field == field)
        }
        #expect(gateway.caller.requests(ReceiptSubmitV1.self).count == 1)
    }

    @Test func `a proof that grows on its way is measured as it grows`() async throws {
        let body = Self.receipt + String(repeating: "\\u0001", count: 1_700_000) + "\"}"
        try await TestGateway().refuses(413, naming: "signedTransaction") {
            try await $0.post("/v1/receipts", body)
        }
    }

    @Test func `large bodies beyond the bound are 503, and their share is given back`() async throws {
        let limit = ConcurrencyLimit(maximumRequests: 10, maximumBytes: 1 << 20)
        let gateway = TestGateway(loadShedder: LoadShedder(purchases: limit))
        for (size, status) in [(2 << 20, 503), (900_000, 200), (900_000, 200)] {
            #expect(try await gateway.post("/v1/receipts", Self.receipt(size)).status == status)
        }
        #expect(limit.inFlight == 0 && limit.bodyBytes == 0)
    }
}
