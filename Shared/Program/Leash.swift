import Glibc
import ServiceLifecycle

/// The child's side of its bond with `counterfoil up`: one socket, inherited.
///
/// `up` writes one byte a second; a byte goes back after a round through everything the program owns. When
/// the
/// socket ends, `up` is gone, and the program ends politely; ten seconds later it ends anyway.
package struct Leash: Service {
    /// The variable that holds the number of the inherited socket.
    package static let environmentVariable = "COUNTERFOIL_LEASH_FD"
    /// How long a polite end may take once `up` is gone, in seconds.
    package static let politeSeconds: UInt32 = 10

    private let descriptor: Int32
    private let heartbeat: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    /// The leash that the environment names; nil when nobody holds one.
    ///
    /// `heartbeat` starts a round through everything that the program owns and calls `answer` after it.
    package init?(
        environment: [String: String],
        heartbeat: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    ) {
        guard let written = environment[Self.environmentVariable], let descriptor = Int32(written),
            descriptor > STDERR_FILENO, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        self.descriptor = descriptor
        self.heartbeat = heartbeat
    }

    /// Answers heartbeats until `up` is gone or the program is asked to end.
    package func run() async {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        LeashThread(descriptor: descriptor, heartbeat: heartbeat, end: continuation).start()
        for await _ in end.cancelOnGracefulShutdown() {}
    }
}

/// The thread that waits for bytes, so that no thread of the cooperative pool does.
private struct LeashThread {
    let descriptor: Int32
    let heartbeat: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    let end: AsyncStream<Void>.Continuation

    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(LeashThreadBox(self))
        let result = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<LeashThreadBox>.fromOpaque(context).takeRetainedValue().thread.loop()
                return nil
            },
            context.toOpaque()
        )
        if result == 0 { pthread_detach(thread) } else { context.release() }
    }

    func loop() {
        let descriptor = descriptor
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                heartbeat { answer(on: descriptor) }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        end.finish()
        sleep(Leash.politeSeconds)
        _exit(Launch.failureCode)
    }
}

/// Writes without waiting: a full socket means that `up` reads nothing, and then one more byte helps nobody.
private func answer(on descriptor: Int32) {
    var byte: UInt8 = 1
    send(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
}

private final class LeashThreadBox {
    let thread: LeashThread
    init(_ thread: LeashThread) { self.thread = thread }
}
