package import Contracts

/// Why an event cannot be sent; a fault of the handler, not of the store.
package enum SendFault: Error, Equatable {
    case tooLarge(EventType, bytes: Int)
    /// Neither its data nor the sender names a partition.
    case noOwner(EventType)
}
