import Glibc
import Program

enum UnixSocket {
    /// Replaces an existing file at the path.
    static func listen(at path: String) throws(SystemFault) -> Descriptor {
        unlink(path)
        let listener = try open()
        guard UnixAddress.with(path, { bind(listener.number, $0, $1) }) == 0 else {
            throw SystemFault("bind", path)
        }
        chmod(path, 0o600)
        guard Glibc.listen(listener.number, 16) == 0 else { throw SystemFault("listen", path) }
        return listener
    }

    /// Nil when nobody listens at the path.
    static func connect(to path: String) throws(SystemFault) -> Descriptor? {
        let connection = try open()
        let isConnected = UnixAddress.with(path) { Glibc.connect(connection.number, $0, $1) } == 0
        let fault = SystemFault("connect", path)
        if isConnected { return connection }
        if fault.code == ENOENT || fault.code == ECONNREFUSED { return nil }
        throw fault
    }

    /// Nil when no connection waits.
    static func accept(from listener: Descriptor) throws(SystemFault) -> Descriptor? {
        let accepted = Glibc.accept(listener.number, nil, nil)
        return accepted < 0 ? nil : try nonblocking(accepted, from: "accept")
    }

    private static func open() throws(SystemFault) -> Descriptor {
        try nonblocking(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), from: "socket")
    }

    private static func nonblocking(_ opened: Int32, from call: String) throws(SystemFault) -> Descriptor {
        let descriptor = try Descriptor(opened, from: call)
        try descriptor.makeNonblocking()
        return descriptor
    }
}
