import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `The trace of a request` {
    private static let ids = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
    private static let trace = "00-\(ids)-01"

    private static func headers(_ values: String...) throws -> HTTPFields {
        let name = try #require(HTTPField.Name("traceparent"))
        var headers = HTTPFields()
        headers[values: name] = values
        return headers
    }

    @Test func `goes with all that the request asks of partitions, also of several at once`() async throws {
        let gateway = TestGateway()
        let headers = try Self.headers(Self.trace)
        for wait in [0, 1_000] {
            let path = "/v1/receipts?wait=\(wait)"
            #expect(try await gateway.post(path, TestGateway.receipt, headers: headers).status == 200)
        }
        _ = try await gateway.send(.get, "/v1/orders?reference=shop%2F1001", headers: headers)
        #expect(gateway.caller.calls.count == 4 + TestGateway.partitions)
        #expect(gateway.caller.calls.allSatisfy { $0.traceparent == Self.trace })
    }

    @Test(arguments: [[], ["00-\(Self.ids)-0"], [Self.trace, Self.trace], ["x"]])
    func `is none if the header is absent, malformed or there twice, and the request is answered`(
        values: [String]
    ) async throws {
        let gateway = TestGateway()
        var headers = try Self.headers()
        if let name = HTTPField.Name("traceparent") { headers[values: name] = values }
        let response = try await gateway.send(.get, "/v1/buyers/b1/entitlements", headers: headers)
        #expect(response.status == 200)
        #expect(gateway.caller.calls.count == 1 && gateway.caller.calls[0].traceparent == nil)
    }

    @Test func `is that of one request alone`() async throws {
        let gateway = TestGateway()
        let path = "/v1/buyers/b1/entitlements"
        _ = try await gateway.send(.get, path, headers: try Self.headers(Self.trace))
        _ = try await gateway.get(path)
        #expect(gateway.caller.calls.map(\.traceparent) == [Self.trace, nil])
    }

    @Test func `is none for Apple's notifications, which need no key`() async throws {
        let gateway = TestGateway()
        let headers = try Self.headers(Self.trace)
        let body = #"{"signedPayload":"e30.e30.AA"}"#
        _ = try await gateway.post("/v1/apple/server-notifications", body, key: nil, headers: headers)
        #expect(gateway.caller.calls.map(\.traceparent) == [nil])
    }
}
