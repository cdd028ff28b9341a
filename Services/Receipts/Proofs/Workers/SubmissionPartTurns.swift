import Contracts
import Database
import Delivery

/// Sends the parts of long submissions, one a turn, so that the partition answers its heartbeat and its requests
/// between them.
///
/// Each receipt is work of its own: a part that ends processes, or that nothing can send, parks its receipt alone.
struct SubmissionPartTurns: DurableTimer {
    private static let prefix = "parts/"

    /// The receipt whose turn it is; one at a time.
    func due(
        _ connection: any Connection,
        now: Timestamp,
        limit: Int,
        excluding inHand: Set<String>
    ) throws -> (keys: [String], next: Timestamp?) {
        let passedOver = inHand.count { $0.hasPrefix(Self.prefix) }
        let waiting = try SubmissionPartStore(connection: connection).receipts(limit: passedOver + 1)
        let keys = waiting.map { Self.prefix + $0.rawValue }
        return (Array(keys.filter { !inHand.contains($0) }.prefix(1)), nil)
    }

    /// Sends the first part of a receipt; the next one, of any receipt, is due at once.
    ///
    /// - Throws: `StoreError`, or `SendFault` where an event of the part is too large.
    func run(_ key: String, in context: HandlerContext) throws {
        let receipt = ReceiptID(unchecked: String(key.dropFirst(Self.prefix.count)))
        let store = SubmissionPartStore(connection: context.connection)
        guard let (part, cause) = try store.takeFirst(of: receipt) else { return }
        try SubmissionParts(context).sendNow(part, cause: cause)
        if try !store.isEmpty() { context.scheduleWork(at: context.now) }
    }

    /// Parts stay as they are, however often they are tried.
    var parksFailure: Bool { true }
}
