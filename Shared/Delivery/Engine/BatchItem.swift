import Contracts

/// What a batch processes one after the other: each item fails or takes effect by itself.
enum BatchItem {
    case input(PartitionInput)
    /// The first delayed event of a subject.
    case delayed(Subject)
    /// The next page of a redrive.
    case redrive(PartitionAddress)
}

/// A handler failed, not the store: the batch is rolled back, and runs again without this item.
struct FailedItem: Error {
    enum ID: Hashable {
        /// The item at this place of the batch.
        case item(Int)
        /// The event with this number among those that the batch sent to its own partition.
        case own(Int)
        case wait(String)
    }

    static let deadlyReason = "the process ended each time this was alone in hand"

    let id: ID
    let reason: String
    /// Whether it was alone in progress at too many deaths of the process.
    var isDeadly = false
}

/// One event on its way through a batch.
struct ReceivedEvent {
    let item: FailedItem.ID
    let bytes: [UInt8]
    /// Nil for standard input.
    let source: PartitionAddress?
    /// What it was as a delayed event.
    var delayed: FailedEvent?

    /// The event as it is kept when nothing handles it now; `hasRun`: its handler was called.
    func failed(
        _ head: MessageDecoder.EventHead,
        _ reason: String,
        hasRun: Bool = false
    ) -> FailedEvent {
        FailedEvent(
            source: source?.description ?? "-",
            eventID: head.id ?? "",
            type: head.type ?? "",
            subject: head.subject ?? "",
            bytes: bytes,
            reason: reason,
            firstReason: delayed?.firstReason ?? (hasRun ? reason : nil),
            attempts: delayed?.attempts ?? 0
        )
    }
}
