import CZeroMQ

/// Why a socket could not be opened.
package enum ZeroMQError: Error, Hashable, CustomStringConvertible {
    /// The path is longer than the kernel takes for a socket (107 bytes).
    case pathTooLong(String, bytes: Int)
    case pathNotAbsolute(String)
    /// An endpoint on `tcp://` where this host has no keys.
    case noKeys(Endpoint)
    /// An endpoint of a host whose public key is not known.
    case unknownHost(Endpoint)
    case callFailed(String, code: Int32)
    case stopped

    package var description: String {
        switch self {
        case .pathTooLong(let path, let bytes):
            "the socket path \(path) has \(bytes) bytes, and at most \(SocketAddress.maximumPathBytes) are possible"
        case .pathNotAbsolute(let path):
            "the socket path \(path) is not absolute"
        case .noKeys(let endpoint):
            "no socket is opened at \(endpoint): this host has no keys"
        case .unknownHost(let endpoint):
            "no socket is opened to \(endpoint): no key of that host is configured"
        case .callFailed(let call, let code):
            "\(call): \(String(cString: zmq_strerror(code)))"
        case .stopped:
            "the socket loop was shut down"
        }
    }

    static func latest(_ call: @autoclosure () -> String) -> Self {
        let code = zmq_errno()
        return .callFailed(call(), code: code)
    }
}
