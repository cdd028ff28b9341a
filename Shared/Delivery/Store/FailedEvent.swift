import Contracts
import Database

struct FailedEvent: Equatable {
    /// The partition that sent it, or `-` for standard input.
    var source: String
    var eventID: String
    var type: String
    var subject: String
    var bytes: [UInt8]
    var reason: String
    /// Why its handler failed at first; nil if it has not.
    var firstReason: String?
    /// How often it was tried again.
    var attempts = 0
}

extension FailedEvent {
    static let columns = "source, event_id, type, subject, event, reason, first_reason, attempts"

    init(_ row: Row) throws(StoreError) {
        self.init(
            source: try row["source"],
            eventID: try row["event_id"],
            type: try row["type"],
            subject: try row["subject"],
            bytes: try row["event"],
            reason: try row["reason"],
            firstReason: try row["first_reason"],
            attempts: try row["attempts"]
        )
    }
}
