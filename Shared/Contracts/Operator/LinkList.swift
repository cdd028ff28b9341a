/// A partition's outgoing links.
package struct LinkList: Codable, Hashable, Sendable {
    package var links: [LinkStatus]

    package init(
        links: [LinkStatus]
    ) {
        self.links = links
    }
}
