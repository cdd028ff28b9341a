/// A message to be sent.
package struct Outbound: Sendable {
    package var socket: SocketID
    /// On a router the `peer` of what arrived; ignored on a dealer.
    package var peer: [UInt8]
    /// Its frames, at least one.
    package var frames: [Frame]

    package init(socket: SocketID, peer: [UInt8] = [], frames: [Frame]) {
        self.socket = socket
        self.peer = peer
        self.frames = frames
    }
}
