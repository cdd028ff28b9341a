import Glibc
import Program

/// Asks the gateway once whether purchases can be made: `GET /readyz`, without any library, within 100 ms.
struct ReadinessProbe {
    /// How long the gateway may take to answer, in milliseconds.
    static let patience = 100
    /// Pause between two questions, in milliseconds.
    static let interval: Int64 = 200

    let address: ListenAddress

    /// Whether the answer was 200.
    func isReady() throws(SystemFault) -> Bool {
        guard let descriptor = try connection() else { return false }
        defer { close(descriptor) }
        let question = "GET /readyz HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
        let bytes = Array(question.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return false }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 && String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("HTTP/1.1 200")
    }

    private func connection() throws(SystemFault) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(reachableHost, String(address.port), &hints, &found) == 0, let info = found?.pointee
        else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = try Descriptors.raised(socket(info.ai_family, info.ai_socktype, info.ai_protocol))
        var patience = timeval(tv_sec: 0, tv_usec: Self.patience * 1_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// An address to listen at may mean all of the machine's; to reach one of them, this machine itself
    /// will do.
    private var reachableHost: String {
        switch address.host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: address.host
        }
    }
}
