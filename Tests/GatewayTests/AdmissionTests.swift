import Contracts
import Delivery
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `Too much in hand` {
    private static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#

    @Test(.timeLimit(.minutes(5)))
    func `a request beyond the bound is 503 before anything of it is accepted`() async throws {
        let gate = Gate()
        let lane = Lane(maximumRequests: 2, maximumBytes: 1 << 20)
        let gateway = TestGateway(
            { request, partition throws(PartitionFault) in
                await gate.pass()
                return try await FakeCaller.happily(request, partition)
            },
            admission: Admission(purchases: lane)
        )
        let (late, inHand) = try await gateway.test { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask { try await client.post("/v1/receipts", Self.receipt).status }
                }
                for await _ in gate.arrivals.prefix(2) {}
                let late = try await client.post("/v1/receipts", Self.receipt)
                #expect(gateway.caller.calls.count == 2)
                #expect(try await client.get("/livez").status == 200)
                gate.letGo()
                return (late, try await group.reduce(into: []) { $0.append($1) })
            }
        }
        #expect(late.status == 503)
        #expect(late.headers[.retryAfter] == "1")
        #expect(inHand == [200, 200])
        #expect(lane.inFlight == 0)
        #expect(lane.turnedAway == 1)
    }

    @Test func `the bounds of both lanes together are the 4,096 questions that a gateway may have in flight`()
        throws
    {
        #expect(3_840 + 256 == RequestClient.inFlightBound)
        let admission = Admission()
        for (lane, bound) in [(admission.purchases, 3_840), (admission.notifications, 256)] {
            for _ in 0..<bound { try lane.enter() }
            #expect(throws: Problem.self) { try lane.enter() }
            lane.leave()
            try lane.enter()
        }
    }
}
