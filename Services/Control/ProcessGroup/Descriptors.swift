import Glibc
import Program

/// Descriptors that close on exec, with numbers above those used in children.
enum Descriptors {
    /// Our lowest descriptor number, so that duplicating to a child's number never overwrites one.
    private static let floor: Int32 = 16

    /// A pipe; the read end does not block.
    static func pipe() throws(SystemFault) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw SystemFault("pipe") }
        let (read, write) = (try raised(ends[0]), try raised(ends[1]))
        try makeNonblocking(read)
        return (read, write)
    }

    /// A pair of connected sockets; ours does not block.
    static func socketPair() throws(SystemFault) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw SystemFault("socketpair")
        }
        let (ours, theirs) = (try raised(ends[0]), try raised(ends[1]))
        try makeNonblocking(ours)
        return (ours, theirs)
    }

    /// Moves a descriptor to `floor` or above and sets close-on-exec.
    static func raised(_ descriptor: Int32) throws(SystemFault) -> Int32 {
        let raised = fcntl(descriptor, F_DUPFD_CLOEXEC, floor)
        guard raised >= 0 else { throw SystemFault("fcntl") }
        close(descriptor)
        return raised
    }

    static func makeNonblocking(_ descriptor: Int32) throws(SystemFault) {
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
            throw SystemFault("fcntl")
        }
    }

    static func setTimeout(of descriptor: Int32, milliseconds: Int64) {
        var limit = timeval(tv_sec: Int(milliseconds / 1_000), tv_usec: Int(milliseconds % 1_000) * 1_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Whether data or the end can be read within the timeout.
    static func isReadable(_ descriptor: Int32, within milliseconds: Int64) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: max(0, milliseconds))) > 0
    }

    /// Available bytes: nil at the end, empty when none have arrived.
    static func readAvailable(_ descriptor: Int32, into buffer: inout [UInt8]) -> ArraySlice<UInt8>? {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return buffer[..<count] }
            if count == 0 { return nil }
            if errno == EINTR { continue }
            return errno == EAGAIN ? [] : nil
        }
    }
}

struct SystemFault: Error, CustomStringConvertible {
    let call: String
    let path: String?
    let code: Int32

    /// The fault in `errno`, after a failed call.
    init(_ call: String, _ path: String? = nil) {
        code = errno
        self.call = call
        self.path = path
    }

    var description: String {
        if let path, code == EACCES || code == EPERM, let reason = FileAccess.reason(path) { return reason }
        return [call, path].compactMap(\.self).joined(separator: " ") + ": \(String(cString: strerror(code)))"
    }
}
