import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOConcurrencyHelpers
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

    @Test func `are counted by what has come, whatever they announce`() async throws {
        let lane = Lane(maximumRequests: 1, maximumBytes: 1 << 20)
        let gateway = TestGateway(admission: Admission(notifications: lane))
        try await gateway.edge.withBody(of: Self.unannounced([1]), upTo: .notification, in: lane) { _ in
            #expect(lane.bytesInHand == 1)
        }
        #expect(lane.bytesInHand == 0)
    }

    @Test func `and stop in the middle give their bytes back`() async throws {
        struct Gone: Error {}
        let lane = Admission().notifications
        let gateway = TestGateway(admission: Admission(notifications: lane))
        await #expect(throws: Gone.self) {
            try await gateway.edge.withBody(of: Self.unannounced([1]), upTo: .notification, in: lane) { _ in
                throw Gone()
            }
        }
        #expect(lane.bytesInHand == 0)
    }

    @Test func `make room for one who comes later, the oldest first, but not for their own next bytes`()
        throws
    {
        let lane = Lane(maximumRequests: 1, maximumBytes: 100)
        let brokenOff = NIOLockedValueBox<[Int]>([])
        func body(_ number: Int) -> Lane.Ticket {
            lane.expectBody { _ in brokenOff.withLockedValue { $0.append(number) } }
        }
        let tickets = (0..<3).map(body)
        for ticket in tickets { try lane.reserve(bytes: 30, for: ticket) }
        lane.complete(tickets[1])
        try lane.reserve(bytes: 30, for: body(3))
        #expect(brokenOff.withLockedValue { $0 } == [0])
        #expect(throws: Problem.self) { try lane.reserve(bytes: 1, for: tickets[0]) }
        try lane.reserve(bytes: 40, for: tickets[2])
        #expect(brokenOff.withLockedValue { $0 } == [0, 3])
        #expect(throws: Problem.self) { try lane.reserve(bytes: 1, for: tickets[2]) }
        #expect(lane.bytesInHand == 100)
        for ticket in tickets { lane.release(ticket) }
        #expect(lane.bytesInHand == 0)
    }

    @Test func `send slowly and keep no genuine notification out, however much they hold`() async throws {
        let lane = Lane(maximumRequests: 1, maximumBytes: 1 << 20)
        let gateway = TestGateway(admission: Admission(notifications: lane))
        let beginning = "POST \(Self.path) HTTP/1.1\r\nHost: g\r\nContent-Length: 131072\r\n\r\n{"
        let slow = ByteBuffer(string: beginning + String(repeating: " ", count: 60_000))
        try await TestServer.run(gateway) { port in
            let strangers = try await withThrowingTaskGroup(of: (any Channel).self) { group in
                for _ in 0..<40 { group.addTask { try await RawConnection.open(port, sending: slow) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await RawConnection.settle { lane.turnedAway >= 20 }
            let status = try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                let body = ByteBuffer(string: Self.notification)
                return try await client.post(Self.path, headers: [:], body: body).status
            }
            #expect(status == .ok)
            #expect(lane.bytesInHand <= 1 << 20)
            for stranger in strangers { stranger.close(promise: nil) }
        }
    }
}
