import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct SocketLoopTests {
    let harness: Harness
    var loop: SocketLoop { harness.loop }

    init() throws { harness = try Harness() }

    @Test
    func `a message comes back whole, frame by frame`() async throws {
        try harness.echo()
        let dealer = try await harness.connectedDealer()
        let frames: [Frame] = [Array("CF1".utf8), [], Array("{\"a\":1}".utf8)]
        loop.send(frames, on: dealer.socket)
        let message = try await dealer.arrivals.next()
        #expect(message.frames == frames)
        #expect(message.socket == dealer.socket)
        #expect(message.peer.isEmpty)
    }

    @Test
    func `messages of one sender arrive in their order`() async throws {
        let (_, arrivals) = try harness.router()
        let dealer = try await harness.connectedDealer()
        let count = 3_000
        loop.send((0..<count).map { Outbound(socket: dealer.socket, frames: [Array("\($0)".utf8)]) })
        let received = try await arrivals.next(count)
        #expect(received.map(\.frames) == (0..<count).map { [Array("\($0)".utf8)] })
    }

    @Test
    func `a router tells its peers apart and answers the one that asked`() async throws {
        let (router, arrivals) = try harness.router()
        let dealers = [try harness.dealer(), try harness.dealer()]
        for dealer in dealers {
            try await dealer.connections.next()
            loop.send([[1]], on: dealer.socket)
        }
        let peers = try await arrivals.next(2).map(\.peer)
        #expect(Set(peers).count == 2)
        for (number, peer) in peers.enumerated() { loop.send([[UInt8(number)]], on: router, to: peer) }
        let answers = [try await dealers[0].arrivals.next(), try await dealers[1].arrivals.next()]
        #expect(Set(answers.map(\.frames)) == [[[0]], [[1]]])
    }

    @Test
    func `four mebibytes arrive unchanged`() async throws {
        let limit = 4 << 20
        try harness.echo(maximumMessageBytes: limit)
        let dealer = try await harness.connectedDealer(maximumMessageBytes: limit)
        let frame = Frame(unsafeUninitializedCapacity: limit) { bytes, count in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
            count = limit
        }
        loop.send([frame], on: dealer.socket)
        let message = try await dealer.arrivals.next()
        #expect(message.frames == [frame])
    }

    @Test
    func `a message above the limit is refused before it is sent`() async throws {
        try harness.echo(maximumMessageBytes: 1_000)
        let dealer = try await harness.connectedDealer(maximumMessageBytes: 1_000)
        loop.send([Frame(repeating: 1, count: 600), Frame(repeating: 2, count: 401)], on: dealer.socket)
        loop.send([Frame(repeating: 3, count: 1_000)], on: dealer.socket)
        let message = try await dealer.arrivals.next()
        #expect(message.frames == [Frame(repeating: 3, count: 1_000)])
        #expect(await harness.finalStatistics().oversized == 1)
    }

    @Test
    func `a peer that sends too much is cut off, and may connect again`() async throws {
        try harness.echo(maximumMessageBytes: 1_000)
        let dealer = try await harness.connectedDealer(maximumMessageBytes: 5_000)
        loop.send([Frame(repeating: 1, count: 5_000)], on: dealer.socket)
        try await dealer.connections.next()
        loop.send([[7]], on: dealer.socket)
        #expect(try await dealer.arrivals.next().frames == [[7]])
    }

    @Test
    func `a message to an unknown peer is dropped and counted`() async throws {
        let (router, _) = try harness.router()
        loop.send([[1], [2]], on: router, to: [0, 1, 2, 3, 4])
        loop.send([[1]], on: router)
        loop.send([[1]], on: SocketID(rawValue: 999))
        let statistics = await harness.finalStatistics()
        #expect(statistics.unroutable == 3)
        #expect(statistics.sent == 0)
    }

    @Test
    func `a dealer without a connection keeps nothing for later`() async throws {
        let dealer = try harness.dealer()
        loop.send([[1], [2]], on: dealer.socket)
        #expect(await harness.finalStatistics().wouldBlock == 1)
        let (_, arrivals) = try harness.router()
        try await dealer.connections.next()
        loop.send([[3], [4]], on: dealer.socket)
        #expect(try await arrivals.next().frames == [[3], [4]])
    }

    @Test
    func `what a peer does not take is dropped at the high-water mark, and the connection goes on`()
        async throws
    {
        let (router, arrivals) = try harness.router()
        let dealer = try await harness.connectedDealer()
        loop.send([[0]], on: dealer.socket)
        let peer = try await arrivals.next().peer
        let flood = Outbound(socket: router, peer: peer, frames: [Frame(repeating: 1, count: 1_000)])
        loop.send(Array(repeating: flood, count: 50_000))
        let statistics = await harness.finalStatistics()
        #expect(statistics.wouldBlock > 0)
        #expect(statistics.sent - 1 + statistics.wouldBlock == 50_000)
        _ = try await dealer.arrivals.next(statistics.sent - 1)
        loop.send([[9]], on: router, to: peer)
        #expect(try await dealer.arrivals.next().frames == [[9]])
    }

    @Test
    func `more messages than may wait for the thread are dropped and counted`() async throws {
        let message = Outbound(socket: SocketID(rawValue: 999), frames: [[1]])
        loop.send(Array(repeating: message, count: 70_000))
        let statistics = await harness.finalStatistics()
        #expect(statistics.overflowed == 70_000 - 65_536)
        #expect(statistics.dropped == 70_000)
    }
}
