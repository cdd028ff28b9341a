import Contracts
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `Strangers who send notifications` {
    private static let path = "/v1/apple/notifications"
    private static let notification = #"{"signedPayload":"e30.eyJub3RpZmljYXRpb25VVUlEIjoiYSJ9.AA"}"#
    private static let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#

    /// A gateway that keeps no notification until the gate opens, and does everything else at once.
    private static func gateway(_ gate: Gate, _ admission: Admission) -> TestGateway {
        TestGateway(
            { request, partition throws(PartitionFault) in
                if request is NotificationDeliverV1 { await gate.pass() }
                return try await FakeCaller.happily(request, partition)
            },
            admission: admission
        )
    }

    /// A request that does not say how long its body is.
    private static func unannounced(_ bytes: [UInt8]) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: path),
            body: RequestBody(buffer: ByteBuffer(bytes: bytes))
        )
    }

    @Test func `fill their own lane and are 503 from then on, while a phone is served`() async throws {
        let gate = Gate()
        let lane = Lane(maximumRequests: 2, maximumBytes: 1 << 20)
        let admission = Admission(notifications: lane)
        let gateway = Self.gateway(gate, admission)
        try await gateway.test { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask { try await client.post(Self.path, Self.notification, key: nil).status }
                }
                for await _ in gate.arrivals.prefix(2) {}
                let late = try await client.post(Self.path, Self.notification, key: nil)
                #expect(late.status == 503)
                #expect(late.headers[.retryAfter] == "1")
                #expect(lane.inFlight == 2 && lane.turnedAway == 1)
                #expect(admission.purchases.inFlight == 0)
                #expect(try await client.post("/v1/receipts", Self.receipt).status == 200)
                gate.letGo()
                for try await status in group { #expect(status == 200) }
            }
        }
        #expect(gateway.caller.requests(NotificationDeliverV1.self).count == 2)
        #expect(lane.inFlight == 0)
    }

    @Test func `have their bytes counted until they are answered`() async throws {
        let gate = Gate()
        let size = Self.notification.utf8.count
        let lane = Lane(maximumRequests: 10, maximumBytes: 2 * size - 1)
        let gateway = Self.gateway(gate, Admission(notifications: lane))
        try await gateway.test { client in
            async let first = client.post(Self.path, Self.notification, key: nil)
            for await _ in gate.arrivals.prefix(1) {}
            #expect(lane.bytesInHand == size)
            let second = try await client.post(Self.path, Self.notification, key: nil)
            #expect(second.status == 503)
            #expect(second.headers[.retryAfter] == "1")
            gate.letGo()
            #expect(try await first.status == 200)
            #expect(lane.bytesInHand == 0)
            #expect(try await client.post(Self.path, Self.notification, key: nil).status == 200)
        }
    }

    @Test func `who do not say how much they send need room for the most`() async throws {
        let lane = Lane(maximumRequests: 10, maximumBytes: BodyLimit.notification.rawValue - 1)
        let gateway = TestGateway(admission: Admission(notifications: lane))
        let request = Self.unannounced([])
        await #expect(throws: Problem.self) {
            try await gateway.edge.withBody(of: request, upTo: .notification, in: lane) { _ in
                Issue.record("the body was read")
            }
        }
        #expect(lane.turnedAway == 1)
        #expect(lane.bytesInHand == 0)
    }

    @Test func `and stop in the middle give their bytes back`() async throws {
        struct Gone: Error {}
        let lane = Admission().notifications
        let gateway = TestGateway(admission: Admission(notifications: lane))
        await #expect(throws: Gone.self) {
            try await gateway.edge.withBody(of: Self.unannounced([1]), upTo: .notification, in: lane) { _ in
                #expect(lane.bytesInHand == BodyLimit.notification.rawValue)
                throw Gone()
            }
        }
        #expect(lane.bytesInHand == 0)
    }
}
