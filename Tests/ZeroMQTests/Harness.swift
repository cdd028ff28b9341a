import Foundation
import ZeroMQ

/// A folder for sockets and the loop that is under test; both end with it.
final class Harness: Sendable {
    let loop: SocketLoop
    let folder: URL

    init() throws {
        folder = URL(filePath: "/tmp/zmq-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        loop = try SocketLoop(name: "sockets-under-test")
    }

    deinit {
        loop.shutdown()
        do { try FileManager.default.removeItem(at: folder) } catch { print("the folder stays: \(error)") }
    }

    func path(_ name: String = "a") -> String { folder.appending(path: name).path() }

    func endpoint(_ name: String = "a") -> Endpoint { .ipc(path: path(name)) }

    /// A router that sends every message back to where it came from.
    @discardableResult
    func echo(_ name: String = "a", maximumMessageBytes: Int = 1 << 20) throws -> SocketID {
        let loop = loop
        return try loop.bind(at: endpoint(name), maximumMessageBytes: maximumMessageBytes) { messages in
            loop.send(messages.map { Outbound(socket: $0.socket, peer: $0.peer, frames: $0.frames) })
        }
    }

    /// A router that keeps what arrives.
    func router(
        _ name: String = "a",
        maximumMessageBytes: Int = 1 << 20
    ) throws -> (SocketID, Arrivals<Inbound>) {
        let arrivals = Arrivals<Inbound>()
        let socket = try loop.bind(at: endpoint(name), maximumMessageBytes: maximumMessageBytes) {
            arrivals.add(contentsOf: $0)
        }
        return (socket, arrivals)
    }

    /// A dealer of a router that may be in another harness; nobody need be bound.
    func dealer(
        _ name: String = "a",
        of other: Harness? = nil,
        maximumMessageBytes: Int = 1 << 20
    ) throws -> Dealer {
        let connections = Arrivals<Void>()
        let arrivals = Arrivals<Inbound>()
        let socket = try loop.connect(
            to: (other ?? self).endpoint(name),
            maximumMessageBytes: maximumMessageBytes,
            onConnected: { connections.add(contentsOf: [()]) },
            deliver: { arrivals.add(contentsOf: $0) }
        )
        return Dealer(socket: socket, connections: connections, arrivals: arrivals)
    }

    /// The same once it is connected.
    func connectedDealer(of other: Harness? = nil, maximumMessageBytes: Int = 1 << 20) async throws -> Dealer
    {
        let dealer = try dealer(of: other, maximumMessageBytes: maximumMessageBytes)
        try await dealer.connections.next()
        return dealer
    }

    /// The counts after everything that was asked of the loop before; the second round publishes the first's.
    func finalStatistics() async -> SocketStatistics {
        let loop = loop
        return await withCheckedContinuation { continuation in
            loop.perform { loop.perform { continuation.resume(returning: loop.statistics) } }
        }
    }
}

/// A dealer and what came to it.
struct Dealer: Sendable {
    let socket: SocketID
    let connections: Arrivals<Void>
    let arrivals: Arrivals<Inbound>
}

/// Things that the I/O thread brings and a test waits for, in order.
final class Arrivals<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(contentsOf elements: [Element]) {
        for element in elements { continuation.yield(element) }
    }

    func next() async throws -> Element {
        for await element in stream { return element }
        throw CancellationError()
    }

    func next(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        while elements.count < count { elements.append(try await next()) }
        return elements
    }
}
