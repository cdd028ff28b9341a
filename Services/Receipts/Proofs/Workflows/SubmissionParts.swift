import Contracts
import Delivery

/// What a submission sends, in parts that each have a database transaction of their own.
struct SubmissionParts {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    /// Sends the first part of a submission now, and the others each in a transaction of its own.
    ///
    /// While parts of an earlier sending wait, all come after them.
    func send(_ parts: [SubmissionPart], of receipt: ReceiptID) throws {
        var rest = parts[...]
        let store = SubmissionPartStore(connection: context.connection)
        if let first = rest.first, try rest.count == 1 || !store.contains(receipt) {
            try sendNow(first)
            rest.removeFirst()
        }
        guard !rest.isEmpty else { return }
        try store.add(rest, of: receipt, cause: context.cause)
        context.scheduleWork(at: context.now)
    }

    /// Sends a part; a cause is that of the submission whose part has waited.
    func sendNow(_ part: SubmissionPart, cause: EventID? = nil) throws {
        func stamp() -> EventStamp? {
            cause.map { EventStamp(id: context.newIdentifier(), time: context.now, cause: $0) }
        }
        for accepted in part.accepted { try context.send(accepted, stamp: stamp()) }
        for verified in part.verified { try context.send(verified, stamp: stamp()) }
        for completed in part.completed { try context.send(completed, stamp: stamp()) }
    }
}
