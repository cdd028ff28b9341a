/// A partition's outgoing links.
package struct LinkList: Codable, Hashable, Sendable {
    package var links: [LinkStatus]

    /// The value, member by member.
    package init(
        links: [LinkStatus]
    ) {
        self.links = links
    }
}
