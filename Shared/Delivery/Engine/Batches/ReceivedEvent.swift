import Contracts

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
