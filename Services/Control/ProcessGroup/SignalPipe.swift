import Glibc

/// Where the signal handler writes; a handler can be given nothing else.
///
/// Unsafe for the compiler only: written once, before the handler is installed.
private nonisolated(unsafe) var signalDescriptor: Int32 = -1

/// Turns the signals that ask for an end into bytes of a pipe, for a loop that polls.
enum SignalPipe {
    /// Installs the handler.
    static func open() throws(SystemFault) -> Int32 {
        let pipe = try Descriptors.pipe()
        try Descriptors.makeNonblocking(pipe.write)
        signalDescriptor = pipe.write
        for number in [SIGTERM, SIGINT, SIGHUP] {
            signal(number) { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                write(signalDescriptor, &byte, 1)
                errno = before
            }
        }
        return pipe.read
    }
}
