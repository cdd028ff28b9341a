import NIOConcurrencyHelpers
import Program

struct ConnectionLimits: Sendable {
    /// Most connections of a server at a time; the kernel queues further ones.
    static let maximumConnections = 8_192

    static let operations = ConnectionLimits(connections: 64)

    var connections = maximumConnections
    var perAddress = Configuration.HTTP.defaultConnectionsPerAddress
    /// Addresses whose connections are not counted.
    var exempt = AddressRange.loopback
    /// Connections closed because their address had too many.
    var refused = NIOLockedValueBox(0)
}
