import Glibc
import Testing
import ZeroMQ

/// A plain connection of TCP on this machine.
final class Connection {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of this machine.
    convenience init(to port: UInt16, at host: String = "127.0.0.1") throws {
        self.init(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let code = Self.withAddress(port, at: host) { Glibc.connect(descriptor, $0, $1) }
        try #require(code == 0, "connect: \(errno)")
    }

    deinit { close(descriptor) }

    static func withAddress(
        _ port: UInt16,
        at host: String = "127.0.0.1",
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Writes all bytes, unless the other end is gone.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for bytes; none when the other end has closed, or is gone.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Whether the other end has closed, after what it has said.
    var isClosed: Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }

    /// The first 64 bytes of ZMTP 3.1.
    static func greeting(mechanism: String) -> [UInt8] {
        let name = Array(mechanism.utf8)
        let signature: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F]
        let padding = [UInt8](repeating: 0, count: 20 - name.count)
        return signature + [3, 1] + name + padding + [0] + [UInt8](repeating: 0, count: 31)
    }

    /// The command READY of a dealer under NULL.
    static var ready: [UInt8] {
        let body: [UInt8] = [5] + "READY".utf8 + [11] + "Socket-Type".utf8 + [0, 0, 0, 6] + "DEALER".utf8
        return [4, UInt8(body.count)] + body
    }
}
