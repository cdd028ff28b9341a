import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct `Requests of one connection` {
    /// Keeps what is written until it is opened, as a socket does whose peer does not read; counts what is read.
    private final class Dam: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer

        var isOpen = true
        var reads = 0
        private var kept: [(NIOAny, EventLoopPromise<Void>?)] = []

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if isOpen { context.write(data, promise: promise) } else { kept.append((data, promise)) }
        }

        func open(_ context: ChannelHandlerContext) {
            isOpen = true
            for (data, promise) in kept { context.write(data, promise: promise) }
            kept = []
            context.flush()
        }
    }

    /// A connection up to the requests that were decoded.
    private struct Connection {
        let channel = EmbeddedChannel()
        let dam = Dam()
        let clock = ManualTimer()

        init() throws {
            let gate = RequestGate(timer: clock.timer)
            try channel.pipeline.syncOperations.addHandlers(
                dam,
                gate,
                HTTPResponseEncoder(),
                ByteToMessageHandler(HTTPRequestDecoder()),
                RequestDeadlines(gate: gate, timer: clock.timer)
            )
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func receive(_ bytes: some Sequence<UInt8>) throws {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
        }

        /// The paths of what was decoded since this was asked last, and bodies.
        func decoded() throws -> [String] {
            var texts: [String] = []
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head(let head): texts.append(head.uri)
                case .body(let bytes): texts.append((texts.popLast() ?? "") + " " + String(buffer: bytes))
                case .end: break
                }
            }
            return texts
        }

        func respond() {
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
    }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: g\r\n\r\n" }

    @Test func `that come in one packet are decoded one by one, each when the answer before has left`() throws
    {
        let connection = try Connection()
        try connection.receive((0..<2_000).map { Self.get("/\($0)") }.joined().utf8)
        for number in 0..<2_000 {
            #expect(try connection.decoded() == ["/\(number)"])
            connection.respond()
        }
        #expect(try connection.decoded().isEmpty)
    }

    static let mixture = [
        get("/a"), "\r\nPOST /b HTTP/1.1\r\nHost: g\r\nContent-Length: 9\r\n\r\nA\r\n\r\nB\n\nC", get("/c"),
        "POST /d HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\r\n.\r\n1\r\n\n\r\n0\r\n\r\n",
        get("/e"), "POST /f HTTP/1.1\r\nHost: g\r\nContent-Length: 0\r\n\r\n", get("/g"),
    ]

    @Test(arguments: [1, 2, 3, 5, 7, 16, 61, 10_000])
    func `are one at a time however their bytes are cut`(_ size: Int) throws {
        let connection = try Connection()
        var bytes = Array(Self.mixture.joined().utf8)[...]
        var paths: [String] = []
        while !bytes.isEmpty {
            try connection.receive(bytes.prefix(size))
            bytes = bytes.dropFirst(size)
        }
        for _ in Self.mixture {
            let decoded = try connection.decoded()
            #expect(decoded.count == 1)
            paths += decoded.map { String($0.prefix(2)) }
            connection.respond()
        }
        #expect(paths == ["/a", "/b", "/c", "/d", "/e", "/f", "/g"])
    }

    @Test func `that wait let nothing more be read`() throws {
        let connection = try Connection()
        try connection.receive(Self.get("/a").utf8)
        connection.channel.read()
        let before = connection.dam.reads
        try connection.receive((Self.get("/b") + Self.get("/c")).utf8)
        connection.channel.read()
        #expect(connection.dam.reads == before)
        connection.respond()
        #expect(connection.dam.reads == before)
        connection.respond()
        #expect(connection.dam.reads == before + 1)
        #expect(try connection.decoded() == ["/a", "/b", "/c"])
    }

    @Test func `are answered before its end is told, if its sender closes his side early`() throws {
        final class Ear: ChannelInboundHandler {
            typealias InboundIn = HTTPServerRequestPart
            var isClosed = false
            func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
                if event as? ChannelEvent == .inputClosed { isClosed = true }
            }
        }
        let (connection, ear) = (try Connection(), Ear())
        try connection.channel.pipeline.syncOperations.addHandler(ear)
        try connection.receive((Self.get("/a") + Self.get("/b")).utf8)
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!ear.isClosed)
        connection.respond()
        #expect(ear.isClosed)
    }

    @Test func `whose sender piles up more than he may lose the connection`() throws {
        let connection = try Connection()
        try connection.receive(Self.get("/a").utf8)
        try connection.receive([UInt8](repeating: 0x20, count: RequestGate.maximumHeldBytes + 1))
        #expect(!connection.channel.isActive)
    }

    @Test func `have ten seconds for a head from its first byte on`() throws {
        let connection = try Connection()
        try connection.receive("GET /a HTTP/1.1\r\nHo".utf8)
        let first = try #require(connection.clock.all.last)
        #expect(first.time == .seconds(10))
        try connection.receive("st: g\r\n\r\n".utf8)
        #expect(first.isCancelled)
        connection.respond()
        try connection.receive("G".utf8)
        let second = try #require(connection.clock.all.last)
        second.fire()
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.channel.isActive)
    }

    @Test func `have thirty seconds for an answer to leave, and the next waits until it has`() throws {
        let connection = try Connection()
        try connection.receive((Self.get("/a") + Self.get("/b")).utf8)
        connection.dam.isOpen = false
        connection.respond()
        let leaving = try #require(connection.clock.all.last)
        #expect(leaving.time == .seconds(30))
        #expect(try connection.decoded() == ["/a"])
        connection.dam.open(try connection.channel.pipeline.syncOperations.context(handler: connection.dam))
        #expect(leaving.isCancelled)
        #expect(try connection.decoded() == ["/b"])
        connection.dam.isOpen = false
        connection.respond()
        let stuck = try #require(connection.clock.all.last)
        stuck.fire()
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.channel.isActive)
    }
}
