/// One outgoing link.
package struct LinkStatus: Codable, Hashable, Sendable {
    package var from: PartitionAddress
    package var to: PartitionAddress
    package var incarnation: String
    package var next: Int64
    package var settled: Int64
    package var attached: Bool
    /// Why it waits for the operator; absent when running.
    package var quarantine: String?
    /// How long its receiver has owed an answer; absent for less than 10 s.
    package var unansweredMs: Int64? = nil
    /// Its last redrive.
    package var redrive: RedriveStatus?
}
