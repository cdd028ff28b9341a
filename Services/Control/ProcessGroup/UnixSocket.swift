import Glibc
import Program

enum UnixSocket {
    /// Replaces an existing file at the path.
    static func listen(at path: String) throws(SystemFault) -> Int32 {
        unlink(path)
        let descriptor = try open()
        guard UnixAddress.with(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw SystemFault("bind", path)
        }
        chmod(path, 0o600)
        guard Glibc.listen(descriptor, 16) == 0 else { throw SystemFault("listen", path) }
        try Descriptors.makeNonblocking(descriptor)
        return descriptor
    }

    /// Nil when nobody listens at the path; `milliseconds` limits every call on the connection.
    static func connect(to path: String, within milliseconds: Int64) throws(SystemFault) -> Int32? {
        let descriptor = try open()
        Descriptors.setTimeout(of: descriptor, milliseconds: milliseconds)
        if UnixAddress.with(path, { Glibc.connect(descriptor, $0, $1) }) == 0 { return descriptor }
        let fault = SystemFault("connect", path)
        close(descriptor)
        if fault.code == ENOENT || fault.code == ECONNREFUSED { return nil }
        throw fault
    }

    /// Nil when no connection waits.
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
}
