struct SocketPlan: Sendable {
    enum Kind: Sendable {
        /// Bound; distinguishes its connections by routing id.
        case router
        /// Connected; has at most one connection.
        case dealer
    }

    let id: SocketID
    let kind: Kind
    let path: SocketPath
    let maximumMessageBytes: Int
    let deliver: @Sendable ([Inbound]) -> Void
    let onConnected: (@Sendable () -> Void)?
}
