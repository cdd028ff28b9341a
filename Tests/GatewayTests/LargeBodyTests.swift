import NIOCore
import NIOPosix
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `A body that is refused unread` {
    /// More than the kernel's buffers of a connection hold.
    private static let size = 24 << 20

    private static let spaces = ByteBuffer(repeating: UInt8(ascii: " "), count: size)
    private static let length = "Content-Length: \(size)"

    /// What a client reads that sends everything before it reads anything.
    private static func answer(_ path: String, _ headers: String, _ body: ByteBuffer) async throws -> String {
        try await TestServer.run(timer: ManualTimer().timer) { port in
            try await sendFirst(head(of: path, headers), body, to: port)
        }
    }

    private static func sendFirst(_ head: String, _ body: ByteBuffer, to port: Int) async throws -> String {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
        let connection = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await connection.executeThenClose { inbound, _ in
            connection.channel.write(ByteBuffer(string: head), promise: nil)
            try await connection.channel.writeAndFlush(body).get()
            try await connection.channel.setOption(.autoRead, value: true).get()
            var response = ""
            for try await part in inbound { response += String(buffer: part) }
            return response
        }
    }

    private static func head(of path: String, _ headers: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer \(TestGateway.key)\r\n"
            + "Idempotency-Key: k\r\nConnection: close\r\n\(headers)\r\n\r\n"
    }

    private static let doors = ["/v1/receipts", "/v1/apple/server-notifications", "/v1/orders"]

    @Test(arguments: doors)
    func `can be sent to its end, and then the 413 is read`(_ path: String) async throws {
        let response = try await Self.answer(path, Self.length, Self.spaces)
        #expect(response.hasPrefix("HTTP/1.1 413 "))
        #expect(response.contains("is larger than"))
    }

    @Test func `can be sent to its end, whose length nobody said, and then the 413 is read`() async throws {
        let size = Self.size / 2
        let text = String(size, radix: 16) + "\r\n" + String(repeating: " ", count: size)
        let body = ByteBuffer(string: text + "\r\n0\r\n\r\n")
        let (path, chunked) = ("/v1/apple/server-notifications", "Transfer-Encoding: chunked")
        #expect(try await Self.answer(path, chunked, body).hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `for another reason can be sent to its end as well`() async throws {
        let response = try await Self.answer("/v1/nowhere", Self.length, Self.spaces)
        #expect(response.hasPrefix("HTTP/1.1 404 "))
    }

    @Test func `ends its connection when the rest does not come`() async throws {
        let clock = ManualTimer()
        try await TestServer.run(timer: clock.timer) { port in
            let head = Self.head(of: "/v1/receipts", Self.length)
            let stranger = try await RawConnection.open(port, sending: ByteBuffer(string: head))
            let wait = BodyDeadline.allowance(announced: Self.size)
            // Once for the body, once to read the refused one to its end.
            _ = await clock.deadlines.filter { $0.time == wait }.prefix(2).reduce(0) { count, _ in count + 1 }
            clock.fireAll()
            // The answer comes in any number of parts.
            // Perhaps all of it has come, and the connection has ended.
            try await stranger.setOption(.autoRead, value: true).recover { _ in }.get()
            try await stranger.closeFuture.get()
        }
    }
}
