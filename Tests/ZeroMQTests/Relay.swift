import Glibc
import NIOConcurrencyHelpers
import Testing
import ZeroMQ

/// Carries the bytes between a dealer and a router, and can swallow those of one way; each has its own connection.
final class Relay: Sendable {
    /// Which way bytes go.
    enum Way: CaseIterable, Sendable { case toRouter, toDealer }

    /// The ways whose sender has closed its connection, each time.
    let ends = Arrivals<Way>()
    let port: UInt16
    private let listener: Int32
    private let swallowed = NIOLockedValueBox<Way?>(nil)

    init(to router: UInt16) throws {
        let (listener, port) = try Self.listener()
        self.listener = listener
        self.port = port
        runThread(name: "relay") { [listener, ends, swallowed] in
            while case let accepted = accept(listener, nil, nil), accepted >= 0 {
                let dealer = Connection(accepted)
                do { try Self.carry(dealer, Connection(to: router), swallowed, ends) } catch { continue }
            }
            close(listener)
        }
    }

    /// A listening socket at a port that the system chooses.
    private static func listener() throws -> (Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let bound = Connection.withAddress(0) { bind(listener, $0, $1) }
        try #require(bound == 0, "bind: \(errno)")
        let listening = listen(listener, 16)
        try #require(listening == 0, "listen: \(errno)")
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Ends the listener; connections end with their ends.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// From now on the bytes of one way are lost, and so is the news of its end.
    func swallow(_ way: Way?) { swallowed.withLockedValue { $0 = way } }

    private static func carry(
        _ dealer: Connection,
        _ router: Connection,
        _ swallowed: NIOLockedValueBox<Way?>,
        _ ends: Arrivals<Way>
    ) {
        let (dealer, router) = (Shared(dealer), Shared(router))
        for (way, source, sink) in [(Way.toRouter, dealer, router), (.toDealer, router, dealer)] {
            runThread(name: "relay") {
                while case let bytes = source.connection.read(), !bytes.isEmpty {
                    if swallowed.withLockedValue({ $0 }) != way { sink.connection.write(bytes) }
                }
                ends.add(contentsOf: [way])
                if swallowed.withLockedValue({ $0 }) != way {
                    shutdown(sink.connection.descriptor, Int32(SHUT_RDWR))
                }
            }
        }
    }

    /// A connection of which one thread reads, and another one writes.
    private struct Shared: @unchecked Sendable {  // the kernel orders what is read and written
        let connection: Connection

        init(_ connection: Connection) { self.connection = connection }
    }
}
