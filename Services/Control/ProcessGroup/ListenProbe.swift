import Glibc
import Program

/// Finds out whether an address can be listened at, by doing so for a moment.
enum ListenProbe {
    /// Whether nobody else listens there; an address that is none of this machine counts as free, as the gateway says
    /// more about that.
    static func isFree(_ address: ListenAddress) -> Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard address.port != 0,
            getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let info = found?.pointee
        else { return true }
        defer { freeaddrinfo(found) }
        let kind = info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        let probe = socket(info.ai_family, kind, info.ai_protocol)
        guard probe >= 0 else { return true }
        defer { close(probe) }
        var enabled: Int32 = 1
        setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &enabled, socklen_t(MemoryLayout<Int32>.size))
        return bind(probe, info.ai_addr, info.ai_addrlen) == 0 || errno != EADDRINUSE
    }
}
