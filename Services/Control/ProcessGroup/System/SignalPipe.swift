import Glibc
import Program

/// Global, as a signal handler has no context; safe, as it is written once before the handler is installed.
private nonisolated(unsafe) var signalDescriptor: Int32 = -1

/// Turns signals into bytes of a socket, for a loop that polls: those that end `up`, and that of a stopped child.
enum SignalPipe {
    static func open() throws(SystemFault) -> Descriptor {
        let (ours, theirs) = try Descriptor.pair()
        // Open as long as this process.
        signalDescriptor = Unmanaged.passRetained(theirs).takeUnretainedValue().number
        for number in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] {
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                send(signalDescriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                errno = before
            }
        }
        return ours
    }
}
