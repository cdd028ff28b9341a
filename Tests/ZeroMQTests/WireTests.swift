import TestTraits
import Testing

@testable import ZeroMQ

/// Sockets on `tcp://`, with real connections of this machine.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct WireTests {
    /// So long a connection may take on a busy machine, in seconds.
    private static let patience = 120
    /// So long nobody is heard who must not be heard, in seconds.
    private static let silence = 2

    private let server: CurveKeyPair
    private let client: CurveKeyPair

    init() throws { (server, client) = (try .make(), try .make()) }

    /// Where a host was that has ended, and the dealer that it leaves behind.
    private func former(
        admitting keys: [CurvePublicKey],
        _ body: (WireHost, WireDealer) -> Void
    ) throws -> (Endpoint, WireDealer) {
        let host = try WireHost(server, admitting: keys)
        let dealer = try WireDealer(client, to: host.endpoint, of: [server.publicKey])
        body(host, dealer)
        return (host.endpoint, dealer)
    }

    @Test func `a host whose key is configured is heard`() throws {
        let host = try WireHost(server, admitting: [client.publicKey])
        let dealer = try WireDealer(client, to: host.endpoint, of: [server.publicKey])
        #expect(host.isReached(by: dealer, within: Self.patience))
        #expect(host.context.strangers == 0)
        dealer.loop.shutdown()
    }

    @Test func `a stranger is not heard and costs a counter, and goes on trying`() throws {
        let host = try WireHost(server, admitting: [client.publicKey])
        let stranger = try WireDealer(.make(), to: host.endpoint, of: [server.publicKey])
        // It tries each 2 s, and gets a new socket after 5 s only; one that never may tries once with each.
        let tries = host.turns(within: Self.patience) {
            stranger.send()
            return host.context.strangers > stranger.loop.statistics.renewed + 2
        }
        #expect(tries, "it was told that it never may")
        #expect(host.router.statistics.received == 0)
        stranger.loop.shutdown()
    }

    @Test func `a stranger that is admitted later is heard then, with the socket that it has`() throws {
        let (place, dealer) = try former(admitting: []) { host, _ in
            #expect(host.turns(within: Self.patience) { host.context.strangers > 0 })
        }
        let later = try WireHost(server, admitting: [client.publicKey], at: place)
        #expect(later.isReached(by: dealer, within: Self.patience))
        dealer.loop.shutdown()
    }

    @Test func `who believes another key to be the host's is not heard`() throws {
        let host = try WireHost(server, admitting: [client.publicKey])
        let dealer = try WireDealer(client, to: host.endpoint, of: [CurveKeyPair.make().publicKey])
        #expect(host.turns(within: Self.patience) { host.context.strangers > 0 })
        #expect(!host.isReached(by: dealer, within: Self.silence))
        dealer.loop.shutdown()
    }

    @Test func `where nobody answers who may connect, nobody may`() throws {
        let host = try WireHost(server, admitting: [client.publicKey], isGuarded: false)
        let dealer = try WireDealer(client, to: host.endpoint, of: [server.publicKey])
        #expect(!host.isReached(by: dealer, within: Self.silence))
        dealer.loop.shutdown()
    }

    @Test func `who has no key is cut off, and nothing comes of what it says`() throws {
        let host = try WireHost(server, admitting: [client.publicKey])
        let visitor = try Connection(to: host.endpoint.port, at: host.endpoint.address)
        visitor.write(Connection.greeting(mechanism: "NULL") + Connection.ready)
        #expect(host.turns(within: Self.patience) { visitor.isClosed && host.context.strangers == 1 })
        #expect(host.router.statistics.received == 0)
    }

    @Test(arguments: [false, true])
    func `a host that changes its key is found under either of two`(isChanged: Bool) throws {
        let next = try CurveKeyPair.make()
        let host = try WireHost(isChanged ? next : server, admitting: [client.publicKey])
        let dealer = try WireDealer(client, to: host.endpoint, of: [server.publicKey, next.publicKey])
        #expect(host.isReached(by: dealer, within: Self.patience))
        if isChanged { #expect(dealer.loop.statistics.renewed > 0) }
        dealer.loop.shutdown()
    }

    @Test(arguments: [false, true])
    func `a host that changes its key is heard with either of two`(isChanged: Bool) throws {
        let next = try CurveKeyPair.make()
        let host = try WireHost(server, admitting: [client.publicKey, next.publicKey])
        let dealer = try WireDealer(isChanged ? next : client, to: host.endpoint, of: [server.publicKey])
        #expect(host.isReached(by: dealer, within: Self.patience))
        dealer.loop.shutdown()
    }

    @Test func `a host that is started again is found by the socket that was there`() throws {
        let (place, dealer) = try former(admitting: [client.publicKey]) { host, dealer in
            #expect(host.isReached(by: dealer, within: Self.patience))
        }
        let later = try WireHost(server, admitting: [client.publicKey], at: place)
        #expect(later.isReached(by: dealer, within: Self.patience))
        dealer.loop.shutdown()
    }

    @Test func `without keys no socket is opened on tcp`() throws {
        let harness = try Harness()
        let endpoint = Endpoint.tcp(host: "127.0.0.1", port: 0)
        let expected = ZeroMQError.noKeys(endpoint)
        #expect(throws: expected) { try harness.loop.bind(at: endpoint, maximumMessageBytes: 1) { _ in } }
        #expect(throws: expected) { try harness.loop.connect(to: endpoint, maximumMessageBytes: 1) { _ in } }
        #expect(expected.description == "no socket is opened at tcp://127.0.0.1:0: this host has no keys")
    }

    @Test func `no socket is opened to a host whose key is not configured`() throws {
        let keys = WireKeys(own: client, hosts: ["10.0.0.7": [server.publicKey], "10.0.0.8": []])
        let loop = try SocketLoop(name: "wire", keys: keys)
        for host in ["10.0.0.8", "10.0.0.9"] {
            let endpoint = Endpoint.tcp(host: host, port: 7_400)
            #expect(throws: ZeroMQError.unknownHost(endpoint)) {
                try loop.connect(to: endpoint, maximumMessageBytes: 1) { _ in }
            }
        }
        loop.shutdown()
    }

    @Test func `a port that is in use is named in the error`() throws {
        let host = try WireHost(server, admitting: [])
        #expect(throws: ZeroMQError.callFailed("bind \(host.endpoint)", code: 98)) {
            try WireHost(server, admitting: [], at: host.endpoint)
        }
    }

    @Test func `keys change nothing on ipc`() throws {
        let harness = try Harness()
        let loop = try SocketLoop(name: "keys", keys: WireKeys(own: client, hosts: [:]))
        let router = try PollLoop(in: SocketContext())
        _ = try router.bind(at: harness.endpoint(), maximumMessageBytes: 1 << 20) { _ in }
        let dealer = try loop.connect(to: harness.endpoint(), maximumMessageBytes: 1 << 20) { _ in }
        while router.statistics.received == 0 {
            loop.send([[1]], on: dealer)
            router.turn(waiting: 50)
        }
        loop.shutdown()
    }
}
