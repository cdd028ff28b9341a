import Testing

@testable import ZeroMQ

/// A host with keys: a router on this machine at a port that the system chooses, turned by the test itself.
final class WireHost {
    static let address = "127.0.0.1"
    /// A turn at which nothing comes ends after so many ms.
    private static let turnMilliseconds: Int64 = 50

    let context: SocketContext
    let router: PollLoop
    let endpoint: Endpoint

    /// `isGuarded` is false where nobody answers who may connect.
    init(
        _ own: CurveKeyPair,
        admitting keys: [CurvePublicKey],
        at port: UInt16 = 0,
        isGuarded: Bool = true
    ) throws {
        let keys = WireKeys(own: own, hosts: [Self.address: keys])
        context = try SocketContext(keys: keys, isGuarded: isGuarded)
        router = try PollLoop(in: context)
        let socket = try router.bind(
            at: .tcp(host: Self.address, port: port),
            maximumMessageBytes: 1 << 20,
            deliver: { _ in }
        )
        endpoint = try #require(router.boundEndpoint(of: socket))
    }

    deinit { router.close() }

    var port: UInt16 {
        guard case .tcp(_, let port) = endpoint else { return 0 }
        return port
    }

    /// Turns until the condition holds; false if it does not within so many seconds.
    func turns(within seconds: Int, until condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if condition() { return true }
            router.turn(waiting: Self.turnMilliseconds)
        }
        return condition()
    }

    /// Whether something from a dealer arrives within so many seconds; it is sent again and again.
    func isReached(by dealer: WireDealer, within seconds: Int) -> Bool {
        let former = router.statistics.received
        return turns(within: seconds) {
            dealer.send()
            return router.statistics.received > former
        }
    }
}

/// A dealer of another host, with a thread of its own.
struct WireDealer {
    let loop: SocketLoop
    let socket: SocketID

    /// The dealer at `endpoint`, whose host is believed to have the keys `server`.
    init(_ own: CurveKeyPair, to endpoint: Endpoint, of server: [CurvePublicKey]) throws {
        loop = try SocketLoop(name: "dealer", keys: WireKeys(own: own, hosts: [WireHost.address: server]))
        socket = try loop.connect(to: endpoint, maximumMessageBytes: 1 << 20) { _ in }
    }

    func send() { loop.send([[1]], on: socket) }
}
