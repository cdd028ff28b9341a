import Glibc
import Program

enum UnixSocket {
    /// Replaces an existing file at the path.
    static func listen(at path: String) throws(SystemFault) -> Descriptor {
        unlink(path)
        let listener = try open()
        try listener.makeNonblocking()
        guard UnixAddress.with(path, { bind(listener.number, $0, $1) }) == 0 else {
            throw SystemFault("bind", path)
        }
        chmod(path, 0o600)
        guard Glibc.listen(listener.number, 16) == 0 else { throw SystemFault("listen", path) }
        return listener
    }

    /// Waits at most 5 s for a place among the connections that wait; nil when nobody listens at the path.
    static func connect(to path: String) throws(SystemFault) -> Descriptor? {
        let connection = try open()
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(connection.number, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let isConnected = UnixAddress.with(path) { Glibc.connect(connection.number, $0, $1) } == 0
        let fault = SystemFault("connect", path)
        if isConnected {
            try connection.makeNonblocking()
            return connection
        }
        if fault.code == ENOENT || fault.code == ECONNREFUSED { return nil }
        throw fault
    }

    /// Nil when no connection waits.
    static func accept(from listener: Descriptor) throws(SystemFault) -> Descriptor? {
        let accepted = Glibc.accept(listener.number, nil, nil)
        guard accepted >= 0 else { return nil }
        let connection = try Descriptor(accepted, from: "accept")
        try connection.makeNonblocking()
        return connection
    }

    private static func open() throws(SystemFault) -> Descriptor {
        try Descriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    }
}
