import Contracts
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import Gateway

@Suite struct `Too much in hand` {
    private static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#

    /// Partitions that do not answer until they are let go.
    private struct Gate: Sendable {
        let arrivals: AsyncStream<Void>
        private let arrived: AsyncStream<Void>.Continuation
        private let opened: AsyncStream<Void>
        private let open: AsyncStream<Void>.Continuation

        init() {
            (arrivals, arrived) = AsyncStream.makeStream()
            (opened, open) = AsyncStream.makeStream()
        }

        func pass() async {
            arrived.yield()
            for await _ in opened { return }
        }

        func letGo() { open.finish() }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a request beyond the bound is 503 before anything of it is accepted`() async throws {
        let gate = Gate()
        let admission = Admission(maximumRequests: 2)
        let gateway = TestGateway(
            { request, partition throws(PartitionFault) in
                await gate.pass()
                return try await FakeCaller.happily(request, partition)
            },
            admission: admission
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
        #expect(admission.inFlight == 0)
        #expect(admission.turnedAway == 1)
    }

    @Test func `the bound is 4,096 requests and waits`() throws {
        let admission = Admission()
        for _ in 0..<4_096 { try admission.enter() }
        #expect(throws: Problem.self) { try admission.enter() }
        admission.leave()
        try admission.enter()
    }
}
