import Contracts
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `Strangers who send notifications` {
    private static let path = "/v1/apple/server-notifications"
    private static let notification = #"{"signedPayload":"e30.eyJub3RpZmljYXRpb25VVUlEIjoiYSJ9.AA"}"#

    /// A gateway that records no notification until the latch opens, and does everything else at once.
    private static func gateway(_ latch: Latch, _ loadShedder: LoadShedder) -> TestGateway {
        TestGateway(
            { request, _ in
                if request is ServerNotificationDeliverV1 { await latch.wait() }
                return nil
            },
            loadShedder: loadShedder
        )
    }

    /// A request that does not say how long its body is.
    private static func unannounced(_ bytes: [UInt8]) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: path),
            body: RequestBody(buffer: ByteBuffer(bytes: bytes))
        )
    }

    @Test func `fill their own limit and are 503 from then on, while a phone is served`() async throws {
        let latch = Latch()
        let limit = ConcurrencyLimit(maximumRequests: 2, maximumBytes: 1 << 20)
        let loadShedder = LoadShedder(serverNotifications: limit)
        let gateway = Self.gateway(latch, loadShedder)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask { try await gateway.post(Self.path, Self.notification, key: nil).status }
            }
            for await _ in latch.arrivals.prefix(2) {}
            let late = try await gateway.post(Self.path, Self.notification, key: nil)
            #expect(late.status == 503 && late.headers[.retryAfter] == "1")
            #expect(limit.inFlight == 2 && limit.shed == 1)
            #expect(loadShedder.purchases.inFlight == 0)
            #expect(try await gateway.post("/v1/receipts", TestGateway.receipt).status == 200)
            latch.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(gateway.caller.requests(ServerNotificationDeliverV1.self).count == 2)
        #expect(limit.inFlight == 0)
    }

    @Test func `have their bytes counted until they are answered`() async throws {
        let latch = Latch()
        let size = Self.notification.utf8.count
        let limit = ConcurrencyLimit(maximumRequests: 10, maximumBytes: 2 * size - 1)
        let gateway = Self.gateway(latch, LoadShedder(serverNotifications: limit))
        async let first = gateway.post(Self.path, Self.notification, key: nil)
        for await _ in latch.arrivals.prefix(1) {}
        #expect(limit.bodyBytes == size)
        let second = try await gateway.post(Self.path, Self.notification, key: nil)
        #expect(second.status == 503 && second.headers[.retryAfter] == "1")
        latch.open()
        #expect(try await first.status == 200)
        #expect(limit.bodyBytes == 0)
        #expect(try await gateway.post(Self.path, Self.notification, key: nil).status == 200)
    }

    @Test func `are counted by what has come, whatever they announce`() async throws {
        let limit = ConcurrencyLimit(maximumRequests: 1, maximumBytes: 1 << 20)
        try await Self.unannounced([1]).withBody(upTo: .serverNotification, countedBy: limit) { _ in
            #expect(limit.bodyBytes == 1)
        }
        #expect(limit.bodyBytes == 0)
    }

    @Test func `and stop in the middle give their bytes back`() async throws {
        struct Gone: Error {}
        let limit = LoadShedder().serverNotifications
        await #expect(throws: Gone.self) {
            try await Self.unannounced([1]).withBody(upTo: .serverNotification, countedBy: limit) { _ in
                throw Gone()
            }
        }
        #expect(limit.bodyBytes == 0)
    }

    @Test func `make room for one who comes later, the oldest first, but not for their own next bytes`()
        throws
    {
        let limit = ConcurrencyLimit(maximumRequests: 1, maximumBytes: 100)
        let aborted = NIOLockedValueBox<[Int]>([])
        func body(_ number: Int) -> ConcurrencyLimit.Ticket {
            limit.expectBody { _ in aborted.withLockedValue { $0.append(number) } }
        }
        let tickets = (0..<3).map(body)
        for ticket in tickets { try limit.reserve(bytes: 30, for: ticket) }
        limit.complete(tickets[1])
        try limit.reserve(bytes: 30, for: body(3))
        #expect(aborted.withLockedValue { $0 } == [0])
        #expect(throws: Problem.self) { try limit.reserve(bytes: 1, for: tickets[0]) }
        try limit.reserve(bytes: 40, for: tickets[2])
        #expect(aborted.withLockedValue { $0 } == [0, 3])
        #expect(throws: Problem.self) { try limit.reserve(bytes: 1, for: tickets[2]) }
        #expect(limit.bodyBytes == 100)
        for ticket in tickets { limit.release(ticket) }
        #expect(limit.bodyBytes == 0)
    }

    @Test func `send slowly and keep no genuine notification out, however much they hold`() async throws {
        let limit = ConcurrencyLimit(maximumRequests: 1, maximumBytes: 1 << 20)
        let gateway = TestGateway(loadShedder: LoadShedder(serverNotifications: limit))
        let beginning = "POST \(Self.path) HTTP/1.1\r\nHost: g\r\nContent-Length: 131072\r\n\r\n{"
        let slow = ByteBuffer(string: beginning + String(repeating: " ", count: 60_000))
        try await TestServer.run(gateway) { port in
            let strangers = try await withThrowingTaskGroup(of: (any Channel).self) { group in
                for _ in 0..<40 { group.addTask { try await RawConnection.open(port, sending: slow) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await eventually("strangers are refused", within: .seconds(240)) { limit.shed >= 20 }
            let body = ByteBuffer(string: Self.notification)
            #expect(try await TestServer.send(Self.path, body: body, key: nil, to: port).status == 200)
            #expect(limit.bodyBytes <= 1 << 20)
            for stranger in strangers { stranger.close(promise: nil) }
        }
    }
}
