package import Contracts

/// Where a message goes.
package struct Route {
    package let receiver: ServiceName
    /// Decides which partition owns the message; nil when any partition may be asked.
    package let key: PartitionKey?
    /// Whether a phone waits for what follows from the message; if not, it may travel later, with others.
    package let isUrgent: Bool
    private let order: PartitionKey?

    /// `order` is the key in whose order the message is handled, if not its own.
    init(
        to receiver: ServiceName,
        _ key: PartitionKey?,
        orderedBy order: PartitionKey? = nil,
        isUrgent: Bool = true
    ) {
        self.receiver = receiver
        self.key = key
        self.order = order ?? key
        self.isUrgent = isUrgent
    }

    /// The ordering key: messages of one subject on one link are handled in turn.
    package var subject: String { order?.subject ?? "-" }

    /// The owner when each service has `partitions` partitions; nil when any may be asked.
    package func owner(of partitions: Int) -> PartitionAddress? { key?.address(in: receiver, of: partitions) }
}
