import Glibc
import ServiceLifecycle

/// Reports to systemd that the program is ready, that it lives, and that it ends.
///
/// Source: sd_notify(3): one datagram per state, to the socket that `NOTIFY_SOCKET` names (`@` stands for an abstract
/// one). With `WatchdogSec` systemd gives its time in `WATCHDOG_USEC`; `WATCHDOG=1` goes out twice in that time, each
/// after a round through everything that the program owns.
package struct SystemdNotifier: Service {
    private let socket: NotifySocket
    private let interval: Duration?
    private let heartbeat: Heartbeat

    /// The notifier that the environment names; nil when systemd waits for no state.
    package init?(environment: [String: String], heartbeat: @escaping Heartbeat) {
        guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path: path) else {
            return nil
        }
        self.socket = socket
        interval = Self.watchdogInterval(environment, of: getpid())
        self.heartbeat = heartbeat
    }

    /// The time between two `WATCHDOG=1`; nil when none are wanted of this process.
    static func watchdogInterval(_ environment: [String: String], of process: pid_t) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
            (environment["WATCHDOG_PID"] ?? String(process)) == String(process)
        else { return nil }
        return .microseconds(microseconds / 2)
    }

    /// Reports that the program is ready, then that it lives, until it is asked to end.
    package func run() async throws {
        socket.send("READY=1")
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await reportLiveness() }
        } onGracefulShutdown: {
            socket.send("STOPPING=1")
        }
    }

    private func reportLiveness() async {
        while !Task.isCancelled {
            if interval != nil { heartbeat { socket.send("WATCHDOG=1") } }
            do { try await Task.sleep(for: interval ?? .seconds(3_600)) } catch { return }
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
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        if UnixAddress.with(path, { connect(descriptor, $0, $1) }) != 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Sends a state without waiting: systemd that does not read misses it.
    func send(_ state: String) {
        let bytes = Array(state.utf8)
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
}
