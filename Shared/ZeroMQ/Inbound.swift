/// A message that arrived on a socket.
package struct Inbound: Sendable {
    package var socket: SocketID
    /// On a router libzmq's routing id, unique for the life of the connection; on a dealer empty.
    package var peer: [UInt8]
    /// At least one on a dealer; a router's peer may send none.
    package var frames: [Frame]

    package init(socket: SocketID, peer: [UInt8] = [], frames: [Frame]) {
        self.socket = socket
        self.peer = peer
        self.frames = frames
    }
}
