import Testing

@testable import ZeroMQ

/// A host with keys: a router at an address of this machine that is its alone, turned by the test itself.
///
/// Where it was, another host can be once this one is gone: nobody else has its address, from which no connection goes
/// out either, and its end waits until its socket is closed.
final class WireHost {
    /// A turn at which nothing comes ends after so many ms.
    private static let turnMilliseconds: Int64 = 50

    let context: SocketContext
    let router: PollLoop
    let endpoint: Endpoint

    /// A host where another one is or was, else at a port that the system chooses.
    ///
    /// `isGuarded` is false where nobody answers who may connect.
    init(
        _ own: CurveKeyPair,
        admitting keys: [CurvePublicKey],
        at place: Endpoint? = nil,
        isGuarded: Bool = true
    ) throws {
        let place = place ?? .tcp(host: Self.anyAddress(), port: 0)
        let keys = WireKeys(own: own, hosts: [place.address: keys])
        context = try SocketContext(keys: keys, isGuarded: isGuarded)
        router = try PollLoop(in: context)
        let socket = try router.bind(
            at: place,
            maximumMessageBytes: 1 << 20,
            deliver: { _ in }
        )
        endpoint = try #require(router.boundEndpoint(of: socket))
    }

    deinit { router.close() }

    /// One of 16 million addresses of this machine.
    static func anyAddress() -> String {
        let parts = (0..<3).map { _ in String(Int.random(in: 1...254)) }
        return (["127"] + parts).joined(separator: ".")
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
        loop = try SocketLoop(name: "dealer", keys: WireKeys(own: own, hosts: [endpoint.address: server]))
        socket = try loop.connect(to: endpoint, maximumMessageBytes: 1 << 20) { _ in }
    }

    func send() { loop.send([[1]], on: socket) }
}

extension Endpoint {
    /// The host of an endpoint on `tcp://`.
    var address: String {
        guard case .tcp(let host, _) = self else { return "" }
        return host
    }

    /// The port of an endpoint on `tcp://`.
    var port: UInt16 {
        guard case .tcp(_, let port) = self else { return 0 }
        return port
    }
}
