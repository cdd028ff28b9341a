import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `A body that does not come` {
    /// What a client sends of a request whose body has a hundred bytes more.
    private static func beginning(of path: String) -> String {
        """
        POST \(path) HTTP/1.1\r
        Host: gateway\r
        Authorization: Bearer \(TestGateway.key)\r
        Idempotency-Key: k\r
        Content-Length: 101\r
        \r
        {
        """
    }

    /// Begins a request, and returns what the server sends until it closes; `hear` gets all that came so far.
    private static func send(
        _ text: String,
        to port: Int,
        hear: (String) async throws -> Void
    ) async throws -> String {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        let connection = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var response = ""
            try await hear(response)
            for try await part in inbound {
                response += String(buffer: part)
                try await hear(response)
            }
            return response
        }
    }

    @Test(arguments: [
        "/v1/apple/server-notifications", "/v1/receipts", "/v1/orders",
        "/v1/orders/\(FakeCaller.orderID)/close",
    ])
    func `in time is 503 at any route, and holds no place any more`(_ path: String) async throws {
        let (gateway, clock) = (TestGateway(), ManualTimer())
        try await TestServer.run(gateway, timer: clock.timer) { port in
            let response = try await Self.send(Self.beginning(of: path), to: port) { heard in
                guard heard.isEmpty else { return }
                let setting = try #require(await clock.next())
                #expect(setting.time == .seconds(10))
                setting.fire()
            }
            #expect(response.hasPrefix("HTTP/1.1 503 "))
            #expect(response.lowercased().contains("retry-after: 1\r\n"))
            #expect(response.lowercased().contains("connection: close\r\n"))
            #expect(response.contains("did not come in time"))
        }
        let loadShedder = gateway.context.loadShedder
        for limit in [loadShedder.purchases, loadShedder.serverNotifications] {
            #expect(limit.inFlight == 0 && limit.bodyBytes == 0)
        }
        #expect(gateway.caller.calls.isEmpty)
    }

    @Test func `after a request that was refused without reading it ends the connection`() async throws {
        let clock = ManualTimer()
        try await TestServer.run(TestGateway(), timer: clock.timer) { port in
            let response = try await Self.send(Self.beginning(of: "/v1/nowhere"), to: port) { heard in
                guard heard.hasSuffix("}") else { return }
                let setting = try #require(clock.all.first)
                #expect(!setting.isCancelled)
                setting.fire()
            }
            #expect(response.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `to its end, because it is too large, ends the connection soon after the answer`() async throws
    {
        let clock = ManualTimer()
        try await TestServer.run(TestGateway(), timer: clock.timer) { port in
            let head =
                "POST /v1/apple/server-notifications HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n"
            let size = BodyLimit.serverNotification.rawValue + 1
            // To the byte that is too much: all has been read when it is answered.
            let chunk = String(size, radix: 16) + "\r\n" + String(repeating: "a", count: size)
            let response = try await Self.send(head + chunk, to: port) { heard in
                guard heard.hasSuffix("}") else { return }
                let body = try #require(await clock.next())
                #expect(body.time == .seconds(10))
                // It is set when all of the answer was written.
                let linger = try #require(await clock.next())
                #expect(linger.time == .seconds(5))
                #expect(body.isCancelled)
                // One that finds bytes of the body is set again.
                clock.fireAll()
            }
            #expect(response.hasPrefix("HTTP/1.1 413 "))
            #expect(response.lowercased().contains("connection: close\r\n"))
        }
    }

    @Test func `is waited for no more once it has come, and its connection can be used again`() async throws {
        let (gateway, clock) = (TestGateway(), ManualTimer())
        try await TestServer.run(gateway, timer: clock.timer) { port in
            let client = try HTTPConnections(to: "http://127.0.0.1:\(port)")
            for path in ["/v1/apple/server-notifications", "/v1/nowhere"] {
                let body = ByteBuffer(string: #"{"signedPayload":"x"}"#)
                let response = try await client.send(.POST, path, body: body, within: TestServer.patience)
                #expect(response.headers[.connection] == nil)
            }
            #expect(try await client.send(.GET, "/livez", within: TestServer.patience).status == 200)
            for _ in 0..<2 {
                let setting = try #require(await clock.next())
                #expect(setting.isCancelled)
            }
            #expect(Set(clock.all.map(\.connection)).count == 1)
        }
    }

    @Test func `is waited for no more while its request is answered, however long that takes`() async throws {
        let (latch, clock) = (Latch(), ManualTimer())
        let gateway = TestGateway { _, _ in
            await latch.wait()
            return nil
        }
        try await TestServer.run(gateway, timer: clock.timer) { port in
            let client = try HTTPConnections(to: "http://127.0.0.1:\(port)")
            let body = ByteBuffer(string: #"{"signedPayload":"x"}"#)
            let path = "/v1/apple/server-notifications"
            async let response = client.send(.POST, path, body: body, within: TestServer.patience)
            for await _ in latch.arrivals.prefix(1) {}
            let setting = try #require(await clock.next())
            #expect(setting.isCancelled)
            latch.open()
            #expect(try await response.status == 200)
        }
    }

    @Test(arguments: [
        (0, 10), (65_535, 10), (65_536, 11), (262_144, 14), (4_194_304, 74), (Int.max, 186), (-1, 10),
    ])
    func `has ten seconds, and one more for each 64 KiB that were announced`(_ bytes: Int, _ seconds: Int) {
        #expect(BodyDeadline.allowance(announced: bytes) == .seconds(Int64(seconds)))
    }
}
