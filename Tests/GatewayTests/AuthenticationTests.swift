import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite struct `Keys of apps` {
    private static let paths = [
        "/v1/orders?reference=A", "/v1/orders/\(FakeCaller.orderID)", "/v1/receipts/\(FakeCaller.receiptID)",
        "/v1/buyers/b1/entitlements", "/v1/buyers/b1/ledger",
    ]

    @Test(arguments: [nil, "", "wrong", TestGateway.key + "x", String(TestGateway.key.dropLast())])
    func `without a known key everything of an app is 401`(_ key: String?) async throws {
        let gateway = TestGateway()
        let responses = try await gateway.test { client in
            var responses: [TestGateway.Response] = []
            for path in Self.paths { responses.append(try await client.get(path, key: key)) }
            for path in ["/v1/orders", "/v1/receipts", "/v1/orders/\(FakeCaller.orderID)/close"] {
                responses.append(try await client.post(path, "{}", key: key))
            }
            return responses
        }
        #expect(responses.allSatisfy { $0.status == 401 && $0.headers[.wwwAuthenticate] == "Bearer" })
        #expect(responses.allSatisfy { $0.headers[.contentType] == "application/problem+json" })
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test(arguments: ["Basic abc", "Bearer", TestGateway.key, "Token \(TestGateway.key)"])
    func `other ways to name a key are 401`(_ credentials: String) async throws {
        let gateway = TestGateway()
        let response = try await gateway.test { client in
            let headers: HTTPFields = [.authorization: credentials]
            let response = try await client.client.execute(
                uri: "/v1/buyers/b1/ledger",
                method: .get,
                headers: headers
            )
            return response.status.code
        }
        #expect(response == 401)
    }

    @Test(arguments: ["/v1/orders", "/v1/receipts"])
    func `a key of another app is 403`(_ path: String) async throws {
        let gateway = TestGateway()
        let body = """
            {"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100","signedTransaction":"x"}
            """
        let response = try await gateway.test { client in
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            return try await client.post(path, body, key: TestGateway.otherKey, headers: [name: "k"])
        }
        #expect(response.status == 403)
        #expect(response.field == "bundleId")
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `a key asks for its own app only`() async throws {
        let gateway = TestGateway()
        _ = try await gateway.get("/v1/buyers/b1/ledger", key: TestGateway.otherKey)
        #expect(gateway.caller.calls.map(\.subject) == ["com.example.other/b1"])
    }
}
