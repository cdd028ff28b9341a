/// Progress of one redrive.
package struct RedriveStatus: Codable, Hashable, Sendable {
    package var from: PartitionAddress
    package var to: PartitionAddress
    /// Rows read, including those that do not concern the receiver.
    package var rows: Int
    package var startedAt: Timestamp
    /// Absent while running.
    package var finishedAt: Timestamp?
    /// Why it stopped; absent otherwise.
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
