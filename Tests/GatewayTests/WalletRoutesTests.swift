import Contracts
import HTTPTypes
import Testing

@testable import Gateway

extension TestGateway {
    /// Spends of b1's wallet, or does what else the path says.
    func spend(
        _ body: String,
        _ path: String = "/v1/buyers/b1/spend",
        idempotencyKey: String? = "k1"
    ) async throws -> Response {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await post(path, body, headers: idempotencyKey.map { [name: $0] } ?? [:])
    }
}

@Suite struct `Wallets over HTTP` {
    private static let body = #"{"entitlement":"coins","amount":30,"reason":"sword","metadata":{"a":1}}"#

    @Test(arguments: WalletMoveV1.Kind.allCases)
    func `a spend or a credit goes to the buyer's partition and is answered 201`(
        kind: WalletMoveV1.Kind
    ) async throws {
        let gateway = TestGateway()
        let response = try await gateway.spend(Self.body, "/v1/buyers/b1/\(kind.rawValue)")
        #expect(response.status == 201)
        #expect(response["balance"] == .integer(20) && response["entryId"] == .string(FakeCaller.entryID))
        #expect(gateway.caller.calls.map(\.partition) == [TestGateway.partition(.entitlements)])
        let movement = try #require(gateway.caller.requests(WalletMoveV1.self).first)
        #expect(movement.kind == kind && movement.amount == 30 && movement.entitlement == "coins")
        #expect(movement.environment == .production && movement.idempotencyKey == "k1")
        #expect(movement.reason == "sword" && movement.metadata == ["a": .integer(1)])
    }

    @Test func `a reversal names the spend`() async throws {
        let gateway = TestGateway()
        let path = "/v1/buyers/b1/spends/\(FakeCaller.entryID)/reverse"
        #expect(try await gateway.spend("", path).status == 201)
        #expect(gateway.caller.requests(SpendReverseV1.self).map(\.entryId) == [FakeCaller.entryID])
        let unknown = try await gateway.spend("", "/v1/buyers/b1/spends/7/reverse")
        #expect(unknown.status == 404 && unknown.field == "entryId")
        #expect(gateway.caller.calls.count == 1)
    }

    @Test(arguments: ["spend", "credit", "spends/\(FakeCaller.entryID)/reverse"])
    func `a request without a key is answered 400`(path: String) async throws {
        try await TestGateway().refuses(400, naming: "Idempotency-Key") {
            try await $0.spend(Self.body, "/v1/buyers/b1/\(path)", idempotencyKey: nil)
        }
    }

    /// Beside those of `Bad input`.
    @Test(arguments: [
        (#"{"entitlement":"","amount":1}"#, "entitlement"),
        (#"{"entitlement":"coins","amount":1000000000001}"#, "amount"),
        (#"{"entitlement":"coins","amount":99999999999999999999}"#, "amount"),
        (#"{"entitlement":"coins","amount":1,"reason":""}"#, "reason"),
        (#"{"entitlement":"coins","amount":1,"environment":"Prod"}"#, "environment"),
        (
            #"{"entitlement":"coins","amount":1,"metadata":{"a":"\#(String(repeating: "x", count: 2_048))"}}"#,
            "metadata"
        ),
        (
            #"{"entitlement":"coins","amount":1,"metadata":{"a":[[[[[[[[1]]]]]]]]}}"#,
            "metadata"
        ),
    ])
    func `a wrong member is answered 422 and named`(_ body: String, _ field: String) async throws {
        for path in ["spend", "credit"] {
            try await TestGateway().refuses(naming: field) {
                try await $0.spend(body, "/v1/buyers/b1/\(path)")
            }
        }
    }

    @Test func `a refusal comes with the word that tells it from others`() async throws {
        let refusal = RequestRefusal(.conflict, "Too little.", field: "amount", reason: "insufficient")
        let gateway = TestGateway({ _, _ throws(Problem) in throw Problem(refusal) })
        let response = try await gateway.spend(Self.body)
        #expect(response.status == 409 && response["code"] == .string("insufficient"))
        #expect(response.field == "amount")
    }
}
