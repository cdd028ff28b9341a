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
    package var unansweredMs: Int64?
    /// Its last redrive.
    package var redrive: RedriveStatus?

    package init(
        from: PartitionAddress,
        to: PartitionAddress,
        incarnation: String,
        next: Int64,
        settled: Int64,
        attached: Bool,
        quarantine: String?,
        unansweredMs: Int64? = nil,
        redrive: RedriveStatus?
    ) {
        self.from = from
        self.to = to
        self.incarnation = incarnation
        self.next = next
        self.settled = settled
        self.attached = attached
        self.quarantine = quarantine
        self.unansweredMs = unansweredMs
        self.redrive = redrive
    }
}
