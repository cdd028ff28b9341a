import Contracts
import HTTPTypes
import Program
import Testing

@testable import Gateway

@Suite struct `An order of Apple's that is being compensated` {
    private static let body =
        #"{"productId":"coins.100","buyerId":"b1","bundleId":"com.example.game","reason":"t","appleOrderId":"MQ5LB2JHXY"}"#

    /// What the reservation was asked, and how often the operator's count was, where the search or the write fails.
    private static func asked(
        search: Problem? = nil,
        write: Problem? = nil
    ) async throws -> (reservations: [AppleOrderReserveV1.Step], counts: [Bool?]) {
        let gateway = TestGateway { request, _ throws(Problem) in
            switch request {
            case is OperatorCountV1: return OperatorCount(day: 1, count: 1, isNew: true)
            case is FactsFindV1:
                if let search { throw search }
                return FoundFacts()
            case is CompensationProposeV1:
                if let write { throw write }
                return nil
            default: return nil
            }
        }
        _ = try await gateway.act(.support, .post, "/compensations", Self.body)
        return (
            gateway.caller.requests(AppleOrderReserveV1.self).map(\.step),
            gateway.caller.requests(OperatorCountV1.self).map(\.isReturned)
        )
    }

    @Test func `is free at once, and nothing counts, where nobody answers before the write`() async throws {
        let asked = try await Self.asked(search: .unanswered)
        #expect(asked.reservations == [.take, .free])
        #expect(asked.counts == [nil, true])
    }

    @Test(.timeLimit(.minutes(5)))
    func `is looked for in all ledgers at the same time, and refused where any of them has it`() async throws
    {
        let latch = Latch()
        let gateway = TestGateway { request, partition throws(Problem) in
            switch request {
            case is OperatorCountV1: return OperatorCount(day: 1, count: 1, isNew: true)
            case is FactsFindV1:
                await latch.wait()
                guard partition.partition == 3 else { throw .unanswered }
                var fact = DeskFact(.compensated, at: Timestamp(milliseconds: 1))
                (fact.bundleId, fact.buyerId) = (TestGateway.bundle, BuyerID(unchecked: "b2"))
                fact.word = CompensationV1.State.granted.rawValue
                return FoundFacts(facts: [fact])
            default: return nil
            }
        }
        async let answer = gateway.act(.support, .post, "/compensations", Self.body)
        for await _ in latch.arrivals.prefix(TestGateway.partitions) {}
        latch.open()
        let response = try await answer
        #expect(response.status == 409 && response.field == "appleOrderId", "\(response.text)")
        let asked = gateway.caller.calls.filter { $0.request is FactsFindV1 }.map(\.partition)
        #expect(asked.sorted() == (0..<TestGateway.partitions).map { PartitionAddress(.entitlements, $0) })
    }

    @Test func `stays reserved, and counts, where the write is not answered`() async throws {
        let asked = try await Self.asked(write: .unanswered)
        #expect(asked.reservations == [.take, .keep])
        #expect(asked.counts == [nil])
    }

    @Test func `is free at once, and nothing counts, where the write is refused`() async throws {
        let asked = try await Self.asked(write: .notFound("no"))
        #expect(asked.reservations == [.take, .keep, .free])
        #expect(asked.counts == [nil, true])
    }
}
