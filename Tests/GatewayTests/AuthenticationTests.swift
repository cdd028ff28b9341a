import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Keys of apps` {
    @Test(arguments: [nil, "", "wrong", TestGateway.key + "x", String(TestGateway.key.dropLast())])
    func `without a known key everything of an app is 401`(_ key: String?) async throws {
        let gateway = TestGateway()
        for route in gateway.context.routes
        where route.path.hasPrefix("/v1") && !route.path.hasPrefix("/v1/apple") {
            let response = try await gateway.send(route.method, route.path, key: key)
            #expect(response.status == 401 && response.headers[.wwwAuthenticate] == "Bearer")
            #expect(response.headers[.contentType] == "application/problem+json")
        }
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test(arguments: ["Basic abc", "Bearer", TestGateway.key, "Token \(TestGateway.key)"])
    func `other ways to name a key are 401`(_ credentials: String) async throws {
        let response = try await TestGateway().send(
            .get,
            "/v1/buyers/b1/ledger",
            key: nil,
            headers: [.authorization: credentials]
        )
        #expect(response.status == 401)
    }

    @Test(arguments: [("/v1/orders", "productId"), ("/v1/receipts", "signedTransaction")])
    func `a key of another app is 403`(_ path: String, _ member: String) async throws {
        let body = #"{"bundleId":"com.example.game","buyerId":"b1","\#(member)":"coins.100"}"#
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        try await TestGateway().refuses(403, naming: "bundleId") { gateway in
            try await gateway.post(path, body, key: TestGateway.otherKey, headers: [name: "k"])
        }
    }

    @Test func `a key asks for its own app only`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.get("/v1/buyers/b1/ledger", key: TestGateway.otherKey)
        #expect(gateway.caller.calls.map(\.subject) == ["com.example.other/b1"])
    }
}
