import Glibc
import ServiceLifecycle

/// Tells systemd when the program is ready, alive, and stopping.
///
/// Source: sd_notify(3): one datagram per state to the socket in `NOTIFY_SOCKET` (`@`: an abstract one).
/// With `WatchdogSec`, `WATCHDOG_USEC` holds the time in which systemd expects a sign of life; `WATCHDOG=1`
/// is sent twice in that time, each after a round through the program's parts.
struct SystemdNotifier: Service {
    private let socket: NotifySocket
    private let interval: Duration?
    private let heartbeat: Heartbeat

    /// Nil when systemd expects no states.
    init?(environment: [String: String], heartbeat: @escaping Heartbeat) {
        guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path: path) else {
            return nil
        }
        self.socket = socket
        interval = Self.watchdogInterval(environment, of: getpid())
        self.heartbeat = heartbeat
    }

    /// Time between two `WATCHDOG=1`; nil when this process is not watched.
    static func watchdogInterval(_ environment: [String: String], of process: pid_t) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
            (environment["WATCHDOG_PID"] ?? String(process)) == String(process)
        else { return nil }
        return .microseconds(microseconds / 2)
    }

    func run() async throws {
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

    /// Sends a state without waiting: it is lost when systemd does not read.
    func send(_ state: String) {
        let bytes = Array(state.utf8)
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
}
