import Contracts

/// A request, and the connection to answer on.
struct ReceivedRequest: Equatable, Sendable {
    let id: String
    let to: PartitionAddress
    /// Timeout, ms.
    let within: Int64
    let event: [UInt8]
    let connection: [UInt8]
}
