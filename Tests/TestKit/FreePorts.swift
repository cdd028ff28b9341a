import Glibc

/// Ports of TCP that nobody uses: those after one that the system chooses.
package enum FreePorts {
    private static let attempts = 100

    /// The first of so many ports that are free at all addresses of this machine; nil if there are no such.
    package static func base(count: Int) -> UInt16? {
        for _ in 0..<attempts {
            guard let first = free(0), Int(first) + count - 1 <= Int(UInt16.max) else { continue }
            if (1..<UInt16(count)).allSatisfy({ free(first + $0) != nil }) { return first }
        }
        return nil
    }

    /// The port if it is free, for 0 another one; nil if it is not.
    private static func free(_ port: UInt16) -> UInt16? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(descriptor, generic, size) == 0, getsockname(descriptor, generic, &size) == 0
                else { return nil }
                return UInt16(bigEndian: pointer.pointee.sin_port)
            }
        }
    }
}
