import Glibc

/// Stream sockets at a path of the file system.
enum UnixSocket {
    /// Listens at a path; what stood there before is replaced.
    static func listen(at path: String) throws(SystemFault) -> Int32 {
        unlink(path)
        let descriptor = try open()
        guard withAddress(path, { bind(descriptor, $0, $1) }) == 0 else { throw SystemFault("bind", path) }
        chmod(path, 0o600)
        guard Glibc.listen(descriptor, 16) == 0 else { throw SystemFault("listen", path) }
        try Descriptors.makeNonblocking(descriptor)
        return descriptor
    }

    /// A connection to whoever listens at a path; nil when nobody does.
    ///
    /// Nothing on the connection takes longer than `milliseconds`.
    static func connect(to path: String, within milliseconds: Int64) throws(SystemFault) -> Int32? {
        let descriptor = try open()
        var patience = timeval(
            tv_sec: Int(milliseconds / 1_000),
            tv_usec: Int(milliseconds % 1_000) * 1_000
        )
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        if withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
        let fault = SystemFault("connect", path)
        close(descriptor)
        if fault.code == ENOENT || fault.code == ECONNREFUSED { return nil }
        throw fault
    }

    /// The next one who connected; nil when there is none.
    static func accept(from listener: Int32) throws(SystemFault) -> Int32? {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        let raised = try Descriptors.raised(descriptor)
        try Descriptors.makeNonblocking(raised)
        return raised
    }

    private static func open() throws(SystemFault) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFault("socket") }
        return try Descriptors.raised(descriptor)
    }

    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            target.copyBytes(from: path.utf8.prefix(target.count - 1))
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
