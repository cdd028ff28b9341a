/// Progress of one redrive.
package struct RedriveStatus: Codable, Hashable, Sendable {
    package var from: PartitionAddress
    package var to: PartitionAddress
    /// Rows read, including those that do not concern the receiver.
    package var rows: Int
    package var startedAt: Timestamp
    /// Absent while running.
    package var finishedAt: Timestamp? = nil
    /// Why it stopped; absent otherwise.
    package var failure: String? = nil
}
