/// What a replica tells other hosts of itself.
package struct MemberWord: Hashable, Sendable, Codable {
    /// The public key that its host uses.
    package let key: String
    /// The public keys of all hosts that its configuration names.
    package let admits: Set<String>
    /// Whether it takes partitions.
    package var isIn = false
    /// Why it takes none, for people; nil if it does, or has not looked yet.
    package var waitsFor: String?

    package init(key: String, admits: Set<String>) {
        self.key = key
        self.admits = admits
    }

    /// Whether each of both hosts lets the other one in: one way alone is of no use to a link.
    func isMutual(with other: MemberWord) -> Bool {
        admits.contains(other.key) && other.admits.contains(key)
    }
}
