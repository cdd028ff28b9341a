import NIOConcurrencyHelpers
import Program

/// How many connections a server has.
struct ConnectionLimits: Sendable {
    /// Most connections of a server at a time; the kernel queues further ones.
    static let maximumConnections = 8_192

    static let operations = ConnectionLimits(connections: 64)

    var connections = maximumConnections
    /// Most connections of one address.
    var perAddress = Configuration.HTTP.defaultConnectionsPerAddress
    /// Whose connections are not counted.
    var exempt = AddressRange.loopback
    /// How many connections were closed because their address had too many.
    var refused = NIOLockedValueBox(0)
}
