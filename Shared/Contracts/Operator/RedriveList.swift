/// The redrives of a partition's outgoing links: the last one of each link.
package struct RedriveList: Codable, Hashable, Sendable {
    package var redrives: [RedriveStatus]

    package init(
        redrives: [RedriveStatus]
    ) {
        self.redrives = redrives
    }
}
