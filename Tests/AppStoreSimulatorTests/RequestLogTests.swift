import Contracts
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `The count of calls` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    @Test func `names the route, the status and the second, and adds up within it`() async throws {
        for _ in 0..<2 { _ = try await store.api(.get, "v1/transactions/12") }
        store.clock.advance(milliseconds: 1_000)
        _ = try await store.api(.get, "v1/transactions/34")
        let lines = await store.store.requests.lines
        let route = "/production/inApps/v1/transactions/{transactionId}"
        #expect(lines.map(\.path) == [route, route])
        #expect(lines.map(\.method) == ["GET", "GET"])
        #expect(lines.map(\.status) == [404, 404])
        #expect(lines.map(\.count) == [2, 1])
        #expect(lines[1].second - lines[0].second == 1)
    }

    @Test func `counts what a fault answered, too, and not what only a simulator is asked`() async throws {
        try await store.fault("/production/verifyReceipt", "status", #""status":503"#)
        _ = try await store.verify("AAAA")
        let answer = try await store.send(.get, "/_control/calls")
        #expect(answer.array("calls").count == 1, "\(answer.text)")
        #expect(answer["calls", "0", "path"] == .string("/production/verifyReceipt"))
        #expect(answer["calls", "0", "status"] == .integer(503))
    }

    @Test func `forgets the oldest seconds when there are too many`() async throws {
        for second in 0...RequestLog.maximumLines {
            store.clock.advance(milliseconds: 1_000)
            await store.store.requests.record("GET", "/\(second)", status: 200, at: store.clock.now)
        }
        let lines = await store.store.requests.lines
        #expect(lines.count == RequestLog.maximumLines + 1 - RequestLog.maximumLines / 10)
        #expect(lines.first?.path == "/\(RequestLog.maximumLines / 10)")
        #expect(lines.last?.path == "/\(RequestLog.maximumLines)")
    }
}
