import Foundation
import Glibc
import ServiceLifecycle

/// Starts a round through everything that a program owns, and calls `answer` after it.
package typealias Heartbeat = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

/// Ends a program whose parent, `counterfoil up`, is gone, and answers the parent's heartbeats: one inherited socket.
///
/// `up` writes one byte a second; a byte goes back after a round through everything the program owns. When the
/// socket ends, `up` is gone: the program shuts down gracefully, and is ended when the grace period is over.
package struct ParentWatchdog: Service {
    /// The variable that holds the number of the inherited socket.
    package static let environmentVariable = "COUNTERFOIL_PARENT_FD"
    /// How long a graceful shutdown may take once `up` is gone, in seconds.
    private static let gracePeriod: UInt32 = 10

    private let descriptor: Int32
    private let heartbeat: Heartbeat

    /// The watchdog that the environment names; nil without a parent.
    package init?(environment: [String: String], heartbeat: @escaping Heartbeat) {
        guard let written = environment[Self.environmentVariable], let descriptor = Int32(written),
            descriptor > STDERR_FILENO, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        self.descriptor = descriptor
        self.heartbeat = heartbeat
    }

    /// Answers heartbeats until `up` is gone or the program is asked to end.
    package func run() async {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        // A thread of its own waits for bytes, so that no thread of the cooperative pool does.
        Thread {
            answerHeartbeats()
            continuation.finish()
            sleep(Self.gracePeriod)
            _exit(Launch.failureCode)
        }
        .start()
        for await _ in end.cancelOnGracefulShutdown() {}
    }

    /// Returns when `up` is gone.
    private func answerHeartbeats() {
        let descriptor = descriptor
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                heartbeat {
                    // Without waiting: a full socket means that `up` reads nothing, and one more byte does not help.
                    var byte: UInt8 = 1
                    send(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                }
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
