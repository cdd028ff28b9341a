import Glibc
import NIOConcurrencyHelpers
import ServiceLifecycle

/// The bond with systemd: says that the program is ready, that it lives, and that it ends.
///
/// Source: sd_notify(3): one datagram a word, to the socket that `NOTIFY_SOCKET` names (`@` stands for an abstract
/// one). With `WatchdogSec` systemd gives its time in `WATCHDOG_USEC`; a word goes out twice in that time, each after a
/// round through everything that the program owns.
package struct SystemdNotifier: Service {
    private let socket: NotifySocket
    private let pause: Duration?
    private let heartbeat: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    /// The bond that the environment names; nil when systemd waits for no word.
    ///
    /// `heartbeat` starts a round through everything that the program owns and calls `answer` after it.
    package init?(
        environment: [String: String],
        heartbeat: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    ) {
        guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path: path) else {
            return nil
        }
        self.socket = socket
        pause = Self.pause(environment, of: getpid())
        self.heartbeat = heartbeat
    }

    /// The time between two signs of life; nil when none are wanted of this process.
    static func pause(_ environment: [String: String], of process: pid_t) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0 else {
            return nil
        }
        if let wanted = environment["WATCHDOG_PID"], wanted != String(process) { return nil }
        return .microseconds(microseconds / 2)
    }

    /// Says that the program is ready, then gives signs of life until it is asked to end.
    package func run() async throws {
        socket.say("READY=1")
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await giveSigns() }
        } onGracefulShutdown: {
            socket.say("STOPPING=1")
        }
    }

    private func giveSigns() async {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        defer { continuation.finish() }
        guard let pause else {
            for await _ in end {}
            return
        }
        while !Task.isCancelled {
            heartbeat { socket.say("WATCHDOG=1") }
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }
}

/// The socket at which systemd listens.
private final class NotifySocket: Sendable {
    private let descriptor: Int32

    init?(path: String) {
        guard !path.isEmpty, path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            return nil
        }
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            for (offset, byte) in path.utf8.enumerated() { buffer[offset] = byte }
            if path.hasPrefix("@") { buffer[0] = 0 }
        }
        // An abstract name is as long as the address says; a path ends with a zero.
        let length = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(length)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Says a word without waiting: systemd that does not read misses it, and asks for nothing more.
    func say(_ word: String) {
        let bytes = Array(word.utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
}
