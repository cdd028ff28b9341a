import FoundationEssentials
import Glibc
import ServiceLifecycle
import ZeroMQ

/// Makes a round through all of a program's parts, then calls `answer`.
package typealias Heartbeat = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

/// Answers heartbeats of the parent, `counterfoil up`, on an inherited socket; ends the program without it.
///
/// `up` writes one byte a second; a byte goes back after a round through the program's parts. When the socket
/// closes, the program shuts down gracefully, and is ended after the grace period.
package struct ParentWatchdog: Service {
    /// Holds the number of the inherited socket.
    package static let environmentVariable = "COUNTERFOIL_PARENT_FD"
    /// Time for a graceful shutdown once `up` is gone, s.
    private static let gracePeriod: UInt32 = 10

    private let descriptor: Int32
    private let heartbeat: Heartbeat

    /// Nil without a parent.
    init?(environment: [String: String], heartbeat: @escaping Heartbeat) {
        guard let written = environment[Self.environmentVariable], let descriptor = Int32(written),
            descriptor > STDERR_FILENO, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        self.descriptor = descriptor
        self.heartbeat = heartbeat
    }

    /// Answers heartbeats until `up` is gone or the program is asked to end.
    package func run() async {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        // A dedicated thread waits for bytes, so that none of the cooperative pool is blocked.
        runThread(name: "heartbeat") {
            answerHeartbeats()
            continuation.finish()
            sleep(Self.gracePeriod)
            _exit(Launch.failureCode)
        }
        for await _ in end.cancelOnGracefulShutdown() {}
    }

    private func answerHeartbeats() {
        let descriptor = descriptor
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                heartbeat {
                    // Without waiting: when the socket is full, `up` does not read; one more byte is useless.
                    var byte: UInt8 = 1
                    send(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                }
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
