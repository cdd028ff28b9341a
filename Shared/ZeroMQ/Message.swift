/// The bytes of one frame.
package typealias Frame = [UInt8]

/// One socket of one `SocketLoop`; never reused.
package struct SocketID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

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
