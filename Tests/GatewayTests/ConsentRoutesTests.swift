import Contracts
import HTTPTypes
import NIOCore
import Testing

@Suite struct `A buyer's consent over HTTP` {
    private static let path = "/v1/buyers/b1/consent"

    @Test(arguments: [true, false])
    func `is stored in the partition of the buyer's ledger, and answered as it is stored`(
        consumption: Bool
    ) async throws {
        let gateway = TestGateway()
        let body = ByteBuffer(string: #"{"consumption":\#(consumption)}"#)
        let response = try await gateway.send(.put, Self.path, body: body)
        #expect(response.status == 200)
        #expect(response["consumption"] == .bool(consumption))
        #expect(response["buyerId"] == .string("b1"))
        let expected = ConsentSetV1(
            bundleId: TestGateway.bundle,
            buyerId: TestGateway.buyer,
            consumption: consumption
        )
        #expect(gateway.caller.requests(ConsentSetV1.self) == [expected])
        #expect(gateway.caller.calls.map(\.partition) == [TestGateway.partition(.entitlements)])
    }

    @Test(arguments: [#"{"consumption":"true"}"#, #"{"consumption":1}"#])
    func `that is neither true nor false is answered 422 and named`(body: String) async throws {
        try await TestGateway().refuses(naming: "consumption") {
            try await $0.send(.put, Self.path, body: ByteBuffer(string: body))
        }
    }

    @Test func `of a buyer who cannot be is answered 422 and named`() async throws {
        try await TestGateway().refuses(naming: "buyerId") {
            try await $0.send(
                .put,
                "/v1/buyers/%00/consent",
                body: ByteBuffer(string: #"{"consumption":true}"#)
            )
        }
    }
}
