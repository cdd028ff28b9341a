import FoundationEssentials
import Glibc

extension ListenAddress {
    /// Whether nobody else listens there; a foreign address counts as free: the gateway reports it better.
    package var isFree: Bool {
        port == 0
            || withSocket(host, flags: AI_PASSIVE) { descriptor, address, length in
                var enabled: Int32 = 1
                let size = socklen_t(MemoryLayout<Int32>.size)
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &enabled, size)
                return bind(descriptor, address, length) == 0 || errno != EADDRINUSE
            } ?? true
    }

    /// Whether a program of this machine could listen there.
    package var isOfThisMachine: Bool {
        withSocket(host, flags: AI_PASSIVE) { descriptor, address, length in
            bind(descriptor, address, length) == 0 || errno != EADDRNOTAVAIL
        } ?? false
    }

    /// `GET /readyz` within 100 ms; synchronous, as asynchronous HTTP clients need their own threads.
    package var isReady: Bool {
        // A wildcard address is reachable through loopback.
        let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return withSocket(reachable) { descriptor, address, length in
            var limit = timeval(tv_sec: 0, tv_usec: 100_000)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            let request = Array("GET /readyz HTTP/1.1\r\nHost: \(self)\r\nConnection: close\r\n\r\n".utf8)
            guard connect(descriptor, address, length) == 0,
                send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
            else { return false }
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count > 0 && buffer[..<count].starts(with: "HTTP/1.1 200".utf8)
        } ?? false
    }

    /// The address in the file that a gateway writes once it listens; nil without one.
    package init?(writtenIn file: String) {
        guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        self.init(text.replacing("http://", with: "", maxReplacements: 1))
    }

    private func withSocket(
        _ host: String,
        flags: Int32 = 0,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let info = found?.pointee else {
            return nil
        }
        defer { freeaddrinfo(found) }
        let kind = info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(info.ai_family, kind, info.ai_protocol)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return body(descriptor, info.ai_addr, info.ai_addrlen)
    }
}
