import HTTPTypes
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import Gateway

@Suite struct `A limit of requests` {
    /// Doors with a valid request each.
    private static let doors = BodyDoor.all.filter { !$0.path.hasPrefix("/v1/apple") }

    @Test func `lets a second's worth come at once, and then a steady rate`() {
        var pace = RequestPace(perSecond: 4)
        #expect((0..<6).map { _ in pace.take(at: 1_000) } == [true, true, true, true, false, false])
        let later = [1_249, 1_250, 1_250, 1_500, 1_749].map { pace.take(at: $0) }
        #expect(later == [false, true, false, true, false])
        #expect((0..<5).map { _ in pace.take(at: 90_000) } == [true, true, true, true, false])
        var one = RequestPace(perSecond: 1)
        #expect([0, 0, 999, 1_000].map { one.take(at: $0) } == [true, false, false, true])
    }

    @Test(arguments: doors)
    func `is 429 with Retry-After, and where proofs are taken 503; nobody is asked`(
        _ door: BodyDoor
    ) async throws {
        let uptime = NIOLockedValueBox<Int64>(5_000)
        let gateway = TestGateway(requestsPerSecond: 1, uptime: { uptime.withLockedValue { $0 } })
        #expect(try await door.send(door.body(), to: gateway).status < 300)
        let calls = gateway.caller.calls.count
        let limited = try await door.send(door.body(), to: gateway)
        #expect(limited.status == (door.path.hasPrefix("/v1/receipts") ? 503 : 429), "\(limited.text)")
        #expect(limited.headers[.retryAfter] == "1")
        #expect(limited.headers[.contentType] == "application/problem+json")
        #expect(gateway.caller.calls.count == calls)
        uptime.withLockedValue { $0 += 1_000 }
        #expect(try await door.send(door.body(), to: gateway).status < 300)
    }

    @Test func `is one app's own, and none by default`() async throws {
        let gateway = TestGateway(requestsPerSecond: 1, uptime: { 5_000 })
        let path = "/v1/buyers/b1/entitlements"
        #expect(try await gateway.get(path).status == 200)
        #expect(try await gateway.get(path).status == 429)
        #expect(try await gateway.get("/v1/receipts/\(FakeCaller.receiptID)").status == 503)
        for _ in 0..<9 { #expect(try await gateway.get(path, key: TestGateway.otherKey).status == 200) }
        let notification = #"{"signedPayload":"x"}"#
        #expect(
            try await gateway.post("/v1/apple/server-notifications", notification, key: nil).status == 200
        )
        #expect(try await gateway.get(path, key: "wrong").status == 401, "who it is comes first")
    }
}
