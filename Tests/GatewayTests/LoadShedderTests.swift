import Delivery
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Too much in hand` {
    @Test(.timeLimit(.minutes(5)))
    func `a request beyond the bound is 503 before anything of it is accepted`() async throws {
        let latch = Latch()
        let limit = ConcurrencyLimit(maximumRequests: 2, maximumBytes: 1 << 20)
        let gateway = TestGateway(
            { _, _ in
                await latch.wait()
                return nil
            },
            loadShedder: LoadShedder(purchases: limit)
        )
        let (late, inHand) = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask { try await gateway.post("/v1/receipts", TestGateway.receipt).status }
            }
            for await _ in latch.arrivals.prefix(2) {}
            let late = try await gateway.post("/v1/receipts", TestGateway.receipt)
            #expect(gateway.caller.calls.count == 2)
            #expect(try await gateway.get("/livez").status == 200)
            latch.open()
            return (late, try await group.reduce(into: []) { $0.append($1) })
        }
        #expect(late.status == 503)
        #expect(late.headers[.retryAfter] == "1")
        #expect(inHand == [200, 200])
        #expect(limit.inFlight == 0)
        #expect(limit.shed == 1)
    }

    @Test func `the bounds of both limits together are the 4,096 requests that a gateway may have in flight`()
        async throws
    {
        func fill(_ limit: ConcurrencyLimit, with requests: Int) async throws {
            try await limit.run {
                if requests > 1 { return try await fill(limit, with: requests - 1) }
                await #expect(throws: Problem.self) { try await limit.run {} }
            }
        }
        #expect(3_840 + 256 == RequestClient.inFlightBound)
        let loadShedder = LoadShedder()
        for (limit, bound) in [(loadShedder.purchases, 3_840), (loadShedder.serverNotifications, 256)] {
            for _ in 0..<2 { try await fill(limit, with: bound) }
        }
    }
}
