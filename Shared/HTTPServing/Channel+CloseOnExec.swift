import Glibc
package import NIOCore

extension Channel {
    /// Leaves the channel's socket to this process alone; to be called on its event loop.
    ///
    /// NIO opens sockets that programs inherit. Swift starts `swift-backtrace` in a process that crashes, and when that
    /// is killed meanwhile, it waits for ever: with the listening socket in its hands no gateway could listen again.
    ///
    /// - Throws: `IOError`; what the channel throws once it is closed.
    package func closeOnExec() throws {
        _ = try pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            socket in
            guard fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 else {
                throw IOError(errnoCode: errno, reason: "fcntl")
            }
        }
    }
}
