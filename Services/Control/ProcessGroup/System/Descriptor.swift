import Glibc
import Program
import SystemPackage

/// A descriptor that is closed with its last reference; children get it only if it is handed to them.
final class Descriptor {
    /// Our lowest number, so that duplicating to a child's number never overwrites one.
    private static let floor: Int32 = 16

    let number: Int32

    /// Takes over what a system call has just returned.
    init(_ opened: Int32, from call: String, _ path: String? = nil) throws(SystemFault) {
        guard opened >= 0 else { throw SystemFault(call, path) }
        number = fcntl(opened, F_DUPFD_CLOEXEC, Self.floor)
        let fault = SystemFault("fcntl")
        close(opened)
        if number < 0 { throw fault }
    }

    deinit { close(number) }

    /// Opens a file; one that it makes is for its owner only.
    static func open(_ path: String, _ flags: Int32) throws(SystemFault) -> Descriptor {
        try Descriptor(Glibc.open(path, flags | O_CLOEXEC, 0o600), from: "open", path)
    }

    /// A pair of connected sockets; ours does not block.
    static func pair() throws(SystemFault) -> (ours: Descriptor, theirs: Descriptor) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        let ours = try Descriptor(ends[0], from: "socketpair")
        let theirs = try Descriptor(ends[1], from: "socketpair")
        try ours.makeNonblocking()
        return (ours, theirs)
    }

    func makeNonblocking() throws(SystemFault) {
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0 else {
            throw SystemFault("fcntl")
        }
    }

    /// Whether data or the end can be read within the timeout.
    func isReadable(within milliseconds: Int64) -> Bool {
        var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: max(0, milliseconds))) > 0
    }

    /// Available bytes: nil at the end, empty when none have arrived.
    func readAvailable() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(number, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 { return nil }
            if errno == EINTR { continue }
            return errno == EAGAIN ? [] : nil
        }
    }

    /// The next bytes, at most `count`; none at the end of the file.
    ///
    /// - Throws: `Errno`.
    func chunk(of count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = try FileDescriptor(rawValue: number).read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Writes all of these.
    ///
    /// - Throws: `Errno`.
    func writeAll(_ bytes: some Sequence<UInt8>) throws {
        _ = try FileDescriptor(rawValue: number).writeAll(bytes)
    }

    /// Sends without waiting: what a full socket does not take is lost.
    @discardableResult
    func sendAtOnce(_ bytes: [UInt8]) -> Bool {
        send(number, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) == bytes.count
    }
}

extension Spawn {
    /// Starts it with descriptors of ours, which stay open until then.
    func start(with descriptors: [(ours: Descriptor, theirs: Int32)]) throws(SystemFault) -> pid_t {
        defer { withExtendedLifetime(descriptors) {} }
        return try start(with: descriptors.map { ($0.ours.number, $0.theirs) })
    }
}
