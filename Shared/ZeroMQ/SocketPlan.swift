struct SocketPlan: Sendable {
    enum Kind: Sendable {
        /// Bound; distinguishes its connections by routing id.
        case router
        /// Connected; has at most one connection.
        case dealer
    }

    let id: SocketID
    let kind: Kind
    let address: SocketAddress
    let maximumMessageBytes: Int
    let deliver: @Sendable ([Inbound]) -> Void
    let onConnected: (@Sendable () -> Void)?

    /// Whether it matters when a connection is made or lost.
    var watchesConnection: Bool { onConnected != nil || isRemote }
    /// A dealer on `tcp://`, which gets a new socket when it stays without connection.
    var isRemote: Bool { kind == .dealer && address.host != nil }
}
