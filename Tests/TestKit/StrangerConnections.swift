import Glibc

/// Connections that send what they like and read nothing.
package struct StrangerConnections {
    private struct Connection {
        var descriptor: Int32
        var sent = 0
        var dribbled = 0
    }

    private let port: UInt16
    private let beginning: [UInt8]
    private let dribble: Int
    private var connections: [Connection] = []
    /// How many were ended by the other side and begun anew.
    package private(set) var begunAnew = 0

    /// So many connections to a port of this machine; each sends `beginning` as fast as it can, then so many single
    /// bytes, one with each `push`.
    package init(count: Int, port: UInt16, beginning: [UInt8], dribble: Int = 0) throws {
        self.port = port
        self.beginning = beginning
        self.dribble = dribble
        for _ in 0..<count { connections.append(try connect()) }
    }

    /// Sends what each may send without waiting.
    package mutating func push() throws {
        for index in connections.indices {
            var connection = connections[index]
            if !push(&connection) {
                Glibc.close(connection.descriptor)
                connection = try connect()
                begunAnew += 1
            }
            connections[index] = connection
        }
    }

    package mutating func close() {
        for connection in connections { Glibc.close(connection.descriptor) }
        connections = []
    }

    /// Whether the connection still stands.
    private func push(_ connection: inout Connection) -> Bool {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        while connection.sent < beginning.count {
            let count = beginning[connection.sent...].withUnsafeBytes {
                send(connection.descriptor, $0.baseAddress, $0.count, flags)
            }
            guard count > 0 else { return errno == EAGAIN || errno == EINTR }
            connection.sent += count
        }
        guard connection.dribbled < dribble else { return true }
        var space = UInt8(ascii: " ")
        guard send(connection.descriptor, &space, 1, flags) == 1 else {
            return errno == EAGAIN || errno == EINTR
        }
        connection.dribbled += 1
        return true
    }

    private func connect() throws -> Connection {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw HarnessFault("no socket: \(errno)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw HarnessFault("no connection: \(errno)") }
        return Connection(descriptor: descriptor)
    }
}
