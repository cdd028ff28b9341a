/// A command of another thread to the I/O thread, served in order.
enum SocketCommand: Sendable {
    case send(Outbound)
    case perform(@Sendable (PollLoop) -> Void)
    case stop
}
