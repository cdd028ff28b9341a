import Contracts
import Database

struct WebhookRow: Equatable {
    /// Identifies a message for ever, also when it is sent again after a restore.
    struct Key: Hashable, Codable {
        /// A purchase, or what the message's type says.
        var about: String
        /// What follows from what the message reports.
        var changeId: String
    }

    var key: Key
    var bundleId: BundleID
    /// Whose messages are delivered in turn.
    var subject: String
    var webhook: Webhook
}

extension WebhookRow.Key {
    init(_ row: Row) throws(StoreError) {
        self.init(about: try row["about"], changeId: try row["change_id"])
    }
}

extension WebhookRow {
    init(_ row: Row) throws(StoreError) {
        key = try Key(row)
        bundleId = try row["bundle_id"]
        subject = try row["subject"]
        let (dueAt, deliveredAt): (Timestamp?, Timestamp?) = (try row["due_at"], try row["delivered_at"])
        let state: Webhook.State =
            if let deliveredAt { .delivered(deliveredAt) } else if let dueAt { .due(dueAt) } else { .queued }
        webhook = Webhook(state: state, attempts: try row["attempts"])
    }
}
