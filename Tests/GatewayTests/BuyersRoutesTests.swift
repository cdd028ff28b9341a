import Contracts
import Domain
import HTTPTypes
import NIOCore
import Testing

@testable import Gateway

@Suite struct `Buyers over HTTP` {
    @Test func `what a buyer holds is what the ledger's partition says`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/buyers/b1/entitlements")
        #expect(response.status == 200)
        #expect(response["balances", "coins"] == .integer(120))
        #expect(response["environment"] == .string("Production"))
        #expect(gateway.caller.calls.map(\.partition) == [TestGateway.partition(.entitlements)])
    }

    @Test func `a buyer's subscriptions are what the ledger's partition says of the environment`()
        async throws
    {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/buyers/b1/subscriptions")
        #expect(response.status == 200)
        #expect(response["subscriptions", "0", "state"] == .string("active"))
        #expect(response["subscriptions", "0", "environment"] == .string("Production"))
        let sandbox = try await gateway.get("/v1/buyers/b1/subscriptions?environment=Sandbox")
        #expect(sandbox["subscriptions", "0", "environment"] == .string("Sandbox"))
        let partition = TestGateway.partition(.entitlements)
        #expect(gateway.caller.calls.map(\.partition) == [partition, partition])
    }

    @Test(arguments: [
        ("player%20one", "player one"), ("a%2Fb", "a/b"), ("%E2%98%83", "☃"), ("a+b", "a+b"),
        ("b%3Fx", "b?x"),
    ])
    func `a buyer's id may hold any printable character`(_ path: String, _ buyer: String) async throws {
        let gateway = TestGateway()
        let response = try await gateway.get("/v1/buyers/\(path)/entitlements")
        #expect(response.status == 200)
        #expect(response["buyerId"] == .string(buyer))
    }

    private static let token = "7E3FB204-2d5f-4d4a-8d1e-4a4bfa4e9c11"

    private static func body(_ token: String) -> ByteBuffer {
        ByteBuffer(string: #"{"appAccountToken":"\#(token)"}"#)
    }

    @Test func `an app's own token is registered for a buyer, where the token's purchases will ask`()
        async throws
    {
        let gateway = TestGateway()
        let response = try await gateway.send(.put, "/v1/buyers/b1", body: Self.body(Self.token))
        #expect(response.status == 200)
        #expect(response["buyerId"] == .string("b1"))
        let expected = TokenRegisterV1(
            bundleId: TestGateway.bundle,
            appAccountToken: Self.token,
            buyerId: TestGateway.buyer
        )
        #expect(gateway.caller.requests(TokenRegisterV1.self) == [expected])
        let uuid = try #require(UUIDText(Self.token))
        #expect(gateway.caller.calls.map(\.partition) == [TestGateway.partition(.orders, .token(uuid))])
    }

    @Test(arguments: ["", "b1", "7e3fb204-2d5f-4d4a-8d1e-4a4bfa4e9c1"])
    func `a token that is no UUID is answered 422 and named`(token: String) async throws {
        try await TestGateway().refuses(naming: "appAccountToken") {
            try await $0.send(.put, "/v1/buyers/b1", body: Self.body(token))
        }
    }

    @Test func `a token of another buyer is a conflict`() async throws {
        let gateway = TestGateway { request, _ throws(Problem) in
            guard request is TokenRegisterV1 else { return nil }
            throw Problem(RequestRefusal(.conflict, "taken", field: "appAccountToken"))
        }
        let response = try await gateway.send(.put, "/v1/buyers/b1", body: Self.body(Self.token))
        #expect(response.status == 409)
    }

    @Test func `a page of the ledger has 100 entries of Production unless asked otherwise`()
        async throws
    {
        let gateway = TestGateway()
        _ = try await gateway.get("/v1/buyers/b1/ledger")
        _ = try await gateway.get("/v1/buyers/b1/ledger?after=e1&limit=7&environment=Sandbox")
        let requests = gateway.caller.requests(LedgerGetV1.self)
        #expect(requests.map(\.limit) == [100, 7])
        #expect(requests.map(\.after) == [nil, "e1"])
        #expect(requests.map(\.environment) == [.production, .sandbox])
    }

    @Test(arguments: [
        ("b1/ledger?limit=0", "limit"), ("b1/ledger?limit=1001", "limit"), ("b1/ledger?limit=ten", "limit"),
        ("b1/ledger?after=", "after"), ("b1/ledger?after=%20", "after"),
        ("b1/ledger?environment=Prod", "environment"), ("b1/entitlements?environment=prod", "environment"),
        ("b1/subscriptions?environment=prod", "environment"), ("%00/subscriptions", "buyerId"),
        ("%FF/entitlements", "buyerId"), ("%00/entitlements", "buyerId"), ("%0A/entitlements", "buyerId"),
        ("%zz/entitlements", "buyerId"),
    ])
    func `a wrong parameter, or a buyer's id that cannot be, is answered 422 and named`(
        _ path: String,
        _ field: String
    ) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.get("/v1/buyers/\(path)") }
    }
}
