/// The bytes of one frame.
package typealias Frame = [UInt8]

/// One socket of one `SocketLoop`; the name is never given to another.
package struct SocketID: Hashable, Sendable {
    /// Counts from 1 within a loop.
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A message that arrived on a socket.
package struct Inbound: Sendable {
    /// Where it arrived.
    package var socket: SocketID
    /// The connection it came by: on a router libzmq's routing id, unique for the life of the connection; on a
    /// dealer empty.
    package var peer: [UInt8]
    /// Its frames, at least one on a dealer; a router's peer may send none.
    package var frames: [Frame]

    package init(socket: SocketID, peer: [UInt8] = [], frames: [Frame]) {
        self.socket = socket
        self.peer = peer
        self.frames = frames
    }
}

/// A message to be sent.
package struct Outbound: Sendable {
    /// The socket to send it on.
    package var socket: SocketID
    /// The connection to send it by: on a router the `peer` of what arrived; on a dealer not looked at.
    package var peer: [UInt8]
    /// Its frames, at least one.
    package var frames: [Frame]

    package init(socket: SocketID, peer: [UInt8] = [], frames: [Frame]) {
        self.socket = socket
        self.peer = peer
        self.frames = frames
    }
}
