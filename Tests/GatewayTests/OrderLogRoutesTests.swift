import Contracts
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `A phone's steps over HTTP` {
    private static let path = "/v1/orders/\(FakeCaller.orderID)/log"
    private static let kept = #"[{"at":1760000000000,"step":"failed","code":"2","domain":"SKErrorDomain"}]"#

    @Test func `go to their order, and the answer is its log`() async throws {
        let gateway = TestGateway()
        let response = try await gateway.post(Self.path, Self.kept)
        #expect(response.status == 200 && response.text == Self.kept)
        let log = try #require(gateway.caller.requests(OrderLogV1.self).first)
        #expect(log.orderId == FakeCaller.orderID && log.bundleId == TestGateway.bundle)
        let entry = StepLogEntry(
            at: Timestamp(milliseconds: 1_760_000_000_000),
            step: .failed,
            code: "2",
            domain: "SKErrorDomain"
        )
        #expect(log.entries == [entry])
    }

    @Test(arguments: StepLogEntry.Step.allCases)
    func `are those of the client kit, and unknown members and nulls count as absent`(
        _ step: StepLogEntry.Step
    ) async throws {
        let gateway = TestGateway()
        let body = #" [{"at":1,"step":"\#(step.rawValue)","code":null,"new":{"a":[1]}}]"#
        #expect(try await gateway.post(Self.path, body).status == 200)
        let log = try #require(gateway.caller.requests(OrderLogV1.self).first)
        #expect(log.entries == [StepLogEntry(at: Timestamp(milliseconds: 1), step: step)])
    }

    @Test(arguments: [
        (#"[{"at":1,"step":"stolen"}]"#, "step"), (#"[{"at":1,"step":7}]"#, "[0].step"),
        (#"[{"step":"asked"}]"#, "[0].at"), (#"[{"at":"x","step":"asked"}]"#, "[0].at"),
        (#"[{"at":1,"step":"asked"},{"at":1,"step":"asked","code":2}]"#, "[1].code"), ("[7]", "[0]"),
    ])
    func `that are none are answered 422 and named`(_ body: String, _ field: String) async throws {
        try await TestGateway().refuses(naming: field) { try await $0.post(Self.path, body) }
    }

    @Test(arguments: ["", " ", "{}", "7", #"{"at":1,"step":"asked"}"#, "[", "[}", "[\u{0}]"])
    func `are a list, and everything else is answered 400`(_ body: String) async throws {
        let gateway = TestGateway()
        #expect(try await gateway.post(Self.path, body).status == 400)
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `give way to purchases beyond a few in flight`() async throws {
        let loadShedder = LoadShedder(stepLogs: ConcurrencyLimit(maximumRequests: 0, maximumBytes: 0))
        let gateway = TestGateway(loadShedder: loadShedder)
        let response = try await gateway.post(Self.path, Self.kept)
        #expect(response.status == 503 && response.headers[.retryAfter] == "1")
        #expect(gateway.caller.calls.isEmpty)
        #expect(try await gateway.post("/v1/receipts", TestGateway.receipt).status == 200)
    }
}
