import Testing

@testable import ZeroMQ

/// A way between two machines that carries one way only.
@Suite(.timeLimit(.minutes(5)))
struct CutTests {
    private static let address = "127.0.0.1"

    @Test(arguments: Relay.Way.allCases)
    func `a way that is cut in one direction is noticed by whom nothing reaches, and used again afterwards`(
        way: Relay.Way
    ) async throws {
        let (server, client) = (try CurveKeyPair.make(), try CurveKeyPair.make())
        let host = try SocketLoop(
            name: "router",
            keys: WireKeys(own: server, hosts: [Self.address: [client.publicKey]])
        )
        let arrivals = Arrivals<Inbound>()
        let router = try host.bind(
            at: .tcp(host: Self.address, port: 0),
            maximumMessageBytes: 1 << 20,
            deliver: { arrivals.add(contentsOf: $0) }
        )
        guard case .tcp(_, let port) = host.boundEndpoint(of: router) else {
            Issue.record("the router is not bound")
            return
        }
        let relay = try Relay(to: port)
        let connections = Arrivals<Void>()
        let loop = try SocketLoop(
            name: "dealer",
            keys: WireKeys(own: client, hosts: [Self.address: [server.publicKey]])
        )
        let dealer = try loop.connect(
            to: .tcp(host: Self.address, port: relay.port),
            maximumMessageBytes: 1 << 20,
            onConnected: { connections.add(contentsOf: [()]) },
            deliver: { _ in }
        )
        try await connections.next()
        loop.send([[1]], on: dealer)
        #expect(try await arrivals.next().frames == [[1]])

        relay.swallow(way)
        // Whom nothing reaches any more closes its end after 3 s, and the other way carries that. Without heartbeats
        // it would not within the limit of this test.
        let first = try await relay.ends.next()
        #expect(first != way)

        relay.swallow(nil)
        try await connections.next()
        loop.send([[2]], on: dealer)
        #expect(try await arrivals.next().frames == [[2]])
        loop.shutdown()
        host.shutdown()
        relay.end()
    }
}
