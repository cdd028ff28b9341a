import Glibc
import Program

/// Descriptors that close on exec and stand above the numbers that children are given.
enum Descriptors {
    /// The lowest number of a descriptor of ours, so that duplicating to a child's numbers never meets one.
    private static let floor: Int32 = 16

    /// A pipe; our end to read does not block.
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

    /// Moves a descriptor out of the children's way and lets it close on exec.
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

    /// Limits every call on a socket.
    static func setTimeout(of descriptor: Int32, milliseconds: Int64) {
        var limit = timeval(tv_sec: Int(milliseconds / 1_000), tv_usec: Int(milliseconds % 1_000) * 1_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Whether there is something to read, or the end, within so many milliseconds.
    static func isReadable(_ descriptor: Int32, within milliseconds: Int64) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: max(0, milliseconds))) > 0
    }

    /// What can be read now: nil at the end, empty when there is nothing yet.
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

/// A call of the system that failed.
struct SystemFault: Error, CustomStringConvertible {
    let call: String
    /// The file that the call was about, if it was about one.
    let path: String?
    let code: Int32

    /// The fault of the call that was just made.
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
