import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Program
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `Connections` {
    private static let get = "GET /openapi.yaml HTTP/1.1\r\nHost: g\r\n\r\n"

    @Test func `of one address are so many and no more, and one that ends makes room`() async throws {
        let limits = ConnectionLimits(perAddress: 2, exempt: [])
        try await TestServer.run(TestGateway(), limits: limits) { port in
            let first = try await RawConnection.open(port)
            let second = try await RawConnection.open(port)
            try await RawConnection.open(port).closeFuture.get()
            #expect(limits.refused.withLockedValue { $0 } == 1)
            try await first.close()
            let status = try await Self.reach("/livez", port)
            #expect(status == 200)
            try await second.close()
        }
    }

    /// Asks until a connection is let in.
    private static func reach(_ path: String, _ port: Int) async throws -> Int {
        while true {
            try Task.checkCancellation()
            do {
                return try await TestServer.send(path, to: port).status
            } catch {
                continue
            }
        }
    }

    @Test func `of a proxy are not counted`() async throws {
        let limits = ConnectionLimits(perAddress: 1, exempt: AddressRange.loopback)
        try await TestServer.run(TestGateway(), limits: limits) { port in
            let others = [try await RawConnection.open(port), try await RawConnection.open(port)]
            #expect(try await Self.reach("/livez", port) == 200)
            #expect(limits.refused.withLockedValue { $0 } == 0)
            for other in others { try await other.close() }
        }
    }

    @Test func `whose reader does not read are ended, and a phone beside them is served`() async throws {
        let clock = ManualTimer()
        try await TestServer.run(TestGateway(), timer: clock.timer) { port in
            let requests = ByteBuffer(string: String(repeating: Self.get, count: 2_000))
            let stranger = try await RawConnection.open(port, sending: requests)
            _ = await clock.deadlines.first { $0.time == .seconds(30) && !$0.isCancelled }
            #expect(try await Self.reach("/v1/nowhere", port) == 404)
            clock.fireAll()
            // What was sent before comes first, in any number of parts.
            // Perhaps all of it has come, and the connection has ended.
            try await stranger.setOption(.autoRead, value: true).recover { _ in }.get()
            try await stranger.closeFuture.get()
        }
    }
}
