import Glibc

/// Ports of TCP that nobody uses, and that no other test gets while this process runs.
///
/// They lie below those that the system gives to outgoing connections, any of which could take a port between the
/// moment in which a test finds it free and the one in which a program listens there, also for the second time.
package enum FreePorts {
    /// What `deploy/postgresql` takes begins above.
    private static let range = UInt16(10_000)..<20_000
    /// So many ports have one owner.
    private static let blockSize: UInt16 = 20
    private static let attempts = 1_000

    /// The first of so many ports that are free at all addresses of this machine; nil if there are no such.
    package static func base(count: Int) -> UInt16? {
        guard (1...Int(blockSize)).contains(count) else { return nil }
        for _ in 0..<attempts {
            let first = range.lowerBound + blockSize * .random(in: 0..<UInt16(range.count) / blockSize)
            guard (first..<first + UInt16(count)).allSatisfy(isFree), isReserved(first) else { continue }
            return first
        }
        return nil
    }

    /// Whether a block is this process' own from now on: it has a name that the kernel gives away once, and takes back
    /// when the process ends.
    private static func isReserved(_ first: UInt16) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with 0 is no file.
        let name = [0] + Array("counterfoil-test-ports-\(first)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isOurs = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        if !isOurs { close(descriptor) }
        return isOurs
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
