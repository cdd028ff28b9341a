import Glibc

/// Global, as a signal handler has no context; safe, as it is written once before the handler is installed.
private nonisolated(unsafe) var signalDescriptor: Int32 = -1

/// Turns termination signals into bytes of a pipe, for a loop that polls.
enum SignalPipe {
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
