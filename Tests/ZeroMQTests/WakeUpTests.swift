import Testing
import ZeroMQ

/// libzmq tells of changes only; a change overlooked shows as a conversation that stands still for ever.
@Suite(.timeLimit(.minutes(5)))
struct WakeUpTests {
    static let sockets = 64
    /// Messages that go back and forth on each socket, and how often each does.
    static let (messagesPerSocket, rounds): (Int, UInt16) = (2, 800)
    static let largestPayloadBytes = 3_000

    @Test
    func `no wake-up is lost among many sockets with sizes at random`() async throws {
        let (server, client) = (try Harness(), try Harness())
        try await converse(among: server, and: client)
        let statistics = await client.finalStatistics()
        #expect(statistics.received == Self.sockets * Self.messagesPerSocket * (Int(Self.rounds) + 1))
        #expect(statistics.dropped == 0)
    }

    @Test
    func `no wake-up is lost when one thread holds both ends`() async throws {
        let both = try Harness()
        try await converse(among: both, and: both)
    }

    @Test
    func `no wake-up is lost when many threads send while the loop sleeps`() async throws {
        let (server, client) = (try Harness(), try Harness())
        try server.echo()
        let dealer = try await client.connectedDealer(of: server)
        let calls = 4_000
        // One at a time: the loop sleeps before each, and each echo must wake it.
        for call in 0..<UInt16(calls) {
            let frame = withUnsafeBytes(of: call.bigEndian) { Array($0) }
            await Task.detached { client.loop.send([frame], on: dealer.socket) }.value
            let echoes = try await dealer.arrivals.next(1)
            #expect(echoes.map(\.frames) == [[frame]])
        }
        let slept = await client.finalStatistics()
        #expect(slept.received == calls)
        #expect(slept.sent == calls)
        #expect(slept.wakeUps < calls * 3 / 2, "a send wakes nobody; its echo does")
    }

    private func converse(among server: Harness, and client: Harness) async throws {
        let (connections, finished) = (Arrivals<Void>(), Arrivals<SocketID>())
        var dealers: [SocketID] = []
        for index in 0..<Self.sockets {
            try server.echo("\(index)")
            let dealer = try client.loop.connect(
                to: server.endpoint("\(index)"),
                maximumMessageBytes: 1 << 16,
                onConnected: { connections.add(contentsOf: [()]) },
                deliver: { [loop = client.loop] in Self.reply($0, on: loop, telling: finished) }
            )
            dealers.append(dealer)
        }
        _ = try await connections.next(Self.sockets)
        for dealer in dealers {
            for _ in 0..<Self.messagesPerSocket {
                client.loop.send(Self.frames(rounds: Self.rounds), on: dealer)
            }
        }
        let ends = try await finished.next(Self.sockets * Self.messagesPerSocket)
        #expect(Set(ends) == Set(dealers))
    }

    /// Sends each message on its next round, or tells that it has done them all.
    private static func reply(
        _ messages: [Inbound],
        on loop: SocketLoop,
        telling finished: Arrivals<SocketID>
    ) {
        for message in messages {
            let rounds = message.frames[0].reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            if rounds == 0 {
                finished.add(contentsOf: [message.socket])
            } else {
                loop.send(frames(rounds: rounds - 1), on: message.socket)
            }
        }
    }

    /// The rounds that are left, and a payload of any size.
    private static func frames(rounds: UInt16) -> [Frame] {
        let payload = Frame(repeating: 0, count: Int.random(in: 0...largestPayloadBytes))
        return [[UInt8(rounds >> 8), UInt8(rounds & 0xFF)], payload]
    }

    @Test
    func `messages of many threads all arrive`() async throws {
        let harness = try Harness()
        let (_, arrivals) = try harness.router()
        let dealer = try await harness.connectedDealer()
        let (threads, messages) = (4, 1_000)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    for number in 0..<messages {
                        harness.loop.send([[UInt8(thread)], Array("\(number)".utf8)], on: dealer.socket)
                    }
                }
            }
        }
        let received = try await arrivals.next(threads * messages)
        for thread in 0..<threads {
            let numbers = received.filter { $0.frames[0] == [UInt8(thread)] }.map { $0.frames[1] }
            #expect(numbers == (0..<messages).map { Array("\($0)".utf8) })
        }
    }
}
