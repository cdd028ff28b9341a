/// What another thread asks of the I/O thread; requests are served in the order in which they were made.
enum Request: Sendable {
    case open(SocketPlan, Answer<ZeroMQError?>)
    case send(Outbound)
    case close(SocketID, Answer<Void>)
    case perform(@Sendable () -> Void)
    case stop
}

/// A socket that is to be opened.
struct SocketPlan: Sendable {
    enum Kind: Sendable {
        /// Bound; tells its connections apart by their routing ids.
        case router
        /// Connected; has one connection, or none for the moment.
        case dealer
    }

    let id: SocketID
    let kind: Kind
    let path: SocketPath
    let maximumMessageBytes: Int
    let deliver: @Sendable ([Inbound]) -> Void
    let onConnected: (@Sendable () -> Void)?
}
