/// How many partitions a replica should own: ⌊P/N⌋ or one more, by rank, so that the shares sum to P.
///
/// The share says what to release, never what may not be taken.
package struct PartitionShare: Equatable, Sendable {
    package let partitions: Int
    package let members: Int

    /// The shares of `partitions` among `members` living replicas.
    package init(partitions: Int, members: Int) {
        self.partitions = partitions
        self.members = max(1, members)
    }

    /// How many partitions the member of this rank (from 0) should own.
    package func count(rank: Int) -> Int {
        partitions / members + (rank < partitions % members ? 1 : 0)
    }

    /// Which of the owned partitions a member should release: those with the highest numbers.
    package func surplus(owned: [Int], rank: Int) -> [Int] {
        Array(owned.sorted().dropFirst(count(rank: rank)))
    }
}
