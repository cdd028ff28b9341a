/// How far one redrive has come.
package struct RedriveStatus: Codable, Hashable, Sendable {
    package var from: PartitionAddress
    package var to: PartitionAddress
    /// Rows that were read so far, those that do not concern the receiver included.
    package var rows: Int
    package var startedAt: Timestamp
    /// Absent while it is under way.
    package var finishedAt: Timestamp?
    /// Why it has stopped; absent when it has not.
    package var failure: String?

    package init(
        from: PartitionAddress,
        to: PartitionAddress,
        rows: Int,
        startedAt: Timestamp,
        finishedAt: Timestamp? = nil,
        failure: String? = nil
    ) {
        self.from = from
        self.to = to
        self.rows = rows
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.failure = failure
    }
}
