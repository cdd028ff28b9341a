import Contracts
import Domain
import NIOConcurrencyHelpers
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `What waits its turn` {
    @Test func `goes on one at a time, and everybody has a turn`() async throws {
        let semaphore = AsyncSemaphore(1)
        let (inside, most) = (NIOLockedValueBox(0), NIOLockedValueBox(0))
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await semaphore.run {
                        let now = inside.withLockedValue { value in
                            value += 1
                            return value
                        }
                        most.withLockedValue { $0 = max($0, now) }
                        await Task.yield()
                        inside.withLockedValue { $0 -= 1 }
                        return 1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 100)
        #expect(most.withLockedValue { $0 } == 1)
    }

    @Test func `leaves when it is cancelled, and takes nobody's place`() async throws {
        let semaphore = AsyncSemaphore(1)
        let latch = Latch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await semaphore.run { await latch.wait() } }
            for await _ in latch.arrivals { break }
            await withTaskGroup { cancelled in
                cancelled.addTask {
                    await #expect(throws: CancellationError.self) { try await semaphore.run {} }
                }
                while semaphore.waiting == 0 { await Task.yield() }
                cancelled.cancelAll()
            }
            latch.open()
            try await group.waitForAll()
            let hasTurn = try await semaphore.run { true }
            #expect(hasTurn)
        }
    }

    @Test func `takes no turn when it is cancelled before, not even a free one`() async {
        let semaphore = AsyncSemaphore(1)
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await semaphore.run { Issue.record("it has had a turn") }
                }
            }
        }
    }

    private static func largeProof(of buyer: BuyerID) -> String {
        let proof = String(repeating: "x", count: JSONBody.hugeBytes)
        return #"{"bundleId":"com.example.game","buyerId":"\#(buyer)","appReceipt":"\#(proof)"}"#
    }

    /// Hands a large proof in twice, for which a partition lets wait, and another proof meanwhile.
    private func expectTakes(
        _ other: String,
        while large: String,
        _ waits: @escaping @Sendable (any RequestContract, PartitionAddress) -> Bool
    ) async throws {
        let latch = Latch()
        let gateway = TestGateway { request, partition in
            if waits(request, partition) { await latch.wait() }
            return nil
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 { group.addTask { try await gateway.post("/v1/receipts", large).status } }
            for await _ in latch.arrivals { break }
            while gateway.context.loadShedder.hugeProofs.waiting == 0 { await Task.yield() }
            let status = try await gateway.post("/v1/receipts", other).status
            #expect(status == 200)
            latch.open()
            let others = try await group.reduce(into: []) { $0.append($1) }
            #expect(others == [200, 200])
        }
    }

    @Test func `is a large proof, behind which a small one does not wait`() async throws {
        let small = #"{"bundleId":"com.example.game","buyerId":"small","signedTransaction":"x"}"#
        try await expectTakes(small, while: Self.largeProof(of: TestGateway.buyer)) { request, _ in
            (request as? ReceiptSubmitV1)?.buyerId == TestGateway.buyer
        }
    }

    @Test func `of large proofs is each partition's own: one that is away holds no other's up`() async throws
    {
        let (here, away) = (BuyerID(unchecked: "b1"), BuyerID(unchecked: "b4"))
        let owners = [here, away].map {
            TestGateway.partition(.receipts, .buyer($0, of: TestGateway.bundle))
        }
        try #require(owners[0] != owners[1])
        try await expectTakes(Self.largeProof(of: here), while: Self.largeProof(of: away)) { _, partition in
            partition == owners[1]
        }
    }
}
