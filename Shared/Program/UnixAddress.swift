package import Glibc

/// The address of a Unix domain socket.
package enum UnixAddress {
    /// Calls the socket API with the address of a path; a leading `@` makes it abstract.
    ///
    /// A path that is too long is cut, so that the call fails or finds no listener.
    package static func with<Value>(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let text = path.utf8.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1)
        let isAbstract = text.first == UInt8(ascii: "@")
        withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            buffer.copyBytes(from: text)
            if isAbstract { buffer[0] = 0 }
        }
        // An abstract name is as long as the address says; a path ends with a zero.
        let length = MemoryLayout<sa_family_t>.size + text.count + (isAbstract ? 0 : 1)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
