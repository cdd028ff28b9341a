import Contracts
import Database
import Delivery

/// Sends the parts of long submissions, one a turn, so that the partition answers its heartbeat and its requests between
/// them.
///
/// Each receipt is work of its own: a part that ends processes, or that nothing can send, parks its receipt alone.
struct SubmissionPartTurns: Sendable {
    /// What the keys of its items begin with.
    static let key = "parts"

    private static let prefix = "\(key)/"

    /// The item of the receipt whose turn it is; one at a time.
    func due(_ connection: any Connection, excluding inHand: Set<String>) throws -> WorkItem? {
        let passedOver = inHand.count { Self.receipt(of: $0) != nil }
        let waiting = try SubmissionPartStore(connection: connection).receipts(limit: passedOver + 1)
        return waiting.map(Self.item).first { !inHand.contains($0.key) }
    }

    static func item(of receipt: ReceiptID) -> WorkItem {
        WorkItem(key: prefix + receipt.rawValue, payload: [])
    }

    /// The receipt whose parts are the work with this key; nil for other work.
    static func receipt(of key: String) -> ReceiptID? {
        guard key.hasPrefix(prefix) else { return nil }
        return ReceiptID(rawValue: String(key.dropFirst(prefix.count)))
    }

    /// Sends the first part of a receipt; the next one, of any receipt, is due at once.
    ///
    /// - Throws: `StoreError`, or `SendFault` where an event of the part is too large.
    func run(_ receipt: ReceiptID, in context: HandlerContext) throws {
        let store = SubmissionPartStore(connection: context.connection)
        guard let (part, cause) = try store.takeFirst(of: receipt) else { return }
        try SubmissionParts(context).sendNow(part, cause: cause)
        if try !store.isEmpty() { context.scheduleWork(at: context.now) }
    }
}
