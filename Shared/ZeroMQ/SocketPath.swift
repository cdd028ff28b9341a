/// The path of an endpoint that a socket can be opened at.
struct SocketPath: Sendable {
    /// The size of `sun_path` without its closing zero.
    static let maximumBytes = 107

    let text: String
    var endpoint: String { Endpoint.ipc(path: text).description }

    init(_ endpoint: Endpoint) throws(ZeroMQError) {
        switch endpoint {
        case .ipc(let path):
            guard path.utf8.first == UInt8(ascii: "/") else { throw .pathNotAbsolute(path) }
            let bytes = path.utf8.count
            guard bytes <= Self.maximumBytes else { throw .pathTooLong(path, bytes: bytes) }
            text = path
        case .tcp: throw .notServed(endpoint)
        }
    }
}
