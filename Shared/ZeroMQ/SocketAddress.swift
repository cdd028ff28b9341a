/// An endpoint that a socket can be opened at.
struct SocketAddress: Sendable {
    /// The size of `sun_path` without its closing zero.
    static let maximumPathBytes = 107

    let endpoint: Endpoint

    init(_ endpoint: Endpoint) throws(ZeroMQError) {
        if case .ipc(let path) = endpoint {
            guard path.utf8.first == UInt8(ascii: "/") else { throw .pathNotAbsolute(path) }
            let bytes = path.utf8.count
            guard bytes <= Self.maximumPathBytes else { throw .pathTooLong(path, bytes: bytes) }
        }
        self.endpoint = endpoint
    }

    /// As people write it: a path alone, or the whole endpoint.
    var text: String { path ?? endpoint.description }

    /// Nil on `tcp://`.
    var path: String? {
        guard case .ipc(let path) = endpoint else { return nil }
        return path
    }

    /// The other machine, or this one under its address; nil on `ipc://`.
    var host: String? {
        guard case .tcp(let host, _) = endpoint else { return nil }
        return host
    }
}
