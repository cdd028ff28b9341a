import Contracts
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

    @Test func `the bodies of one buyer's phones take a part of all, and everybody else goes on`() throws {
        let most = ConcurrencyLimit.maximumBytesOfBuyer
        let limit = ConcurrencyLimit(maximumRequests: 9, maximumBytes: 4 * most)
        let phone = AppBuyer(bundle: TestGateway.bundle, buyer: TestGateway.buyer)
        let (first, second) = (limit.expectBody(of: phone), limit.expectBody(of: phone))
        try limit.reserve(bytes: most - 1, for: first)
        try limit.reserve(bytes: 1, for: second)
        let refused = #expect(throws: Problem.self) { try limit.reserve(bytes: 1, for: second) }
        #expect(refused?.status == .serviceUnavailable && limit.bodyBytes == most)
        let other = AppBuyer(bundle: TestGateway.bundle, buyer: BuyerID(unchecked: "b2"))
        for ticket in [limit.expectBody(of: other), limit.expectBody()] {
            try limit.reserve(bytes: most, for: ticket)
        }
        limit.release(first)
        try limit.reserve(bytes: most - 1, for: second)
        limit.release(second)
        #expect(limit.bodyBytes == 2 * most)
    }

    @Test func `a phone's body counts as its buyer's`() async throws {
        let limit = ConcurrencyLimit(maximumRequests: 9, maximumBytes: 1 << 30)
        let gateway = try await TestGateway(loadShedder: LoadShedder(purchases: limit)).takingPhones()
        let buyer = AppBuyer(bundle: TestGateway.bundle, buyer: TestGateway.buyer)
        let held = limit.expectBody(of: buyer)
        try limit.reserve(bytes: ConcurrencyLimit.maximumBytesOfBuyer, for: held)
        let proof = String(repeating: "x", count: 100_000)
        let body = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"\#(proof)"}"#
        let refused = try await gateway.post("/v1/receipts", body, key: PhoneSigner.token())
        #expect(refused.status == 503 && gateway.caller.calls.isEmpty, "\(refused.text)")
        #expect(try await gateway.post("/v1/receipts", body).status == 200, "the app's server is not a phone")
        limit.release(held)
        #expect(try await gateway.post("/v1/receipts", body, key: PhoneSigner.token()).status == 200)
    }
}
