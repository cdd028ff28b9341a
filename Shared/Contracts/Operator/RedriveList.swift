/// The last redrive of each outgoing link of a partition.
package struct RedriveList: Codable, Hashable, Sendable {
    package var redrives: [RedriveStatus]

    package init(
        redrives: [RedriveStatus]
    ) {
        self.redrives = redrives
    }
}
