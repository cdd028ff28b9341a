/// How many partitions a replica should own: ⌊P/N⌋ or one more, by rank, so that the shares sum to P.
///
/// The share decides only what to release, never what may be taken.
struct PartitionShare: Equatable, Sendable {
    let partitions: Int
    let members: Int

    init(partitions: Int, members: Int) {
        self.partitions = partitions
        self.members = max(1, members)
    }

    /// How many partitions the member of this rank (from 0) should own.
    func count(rank: Int) -> Int {
        partitions / members + (rank < partitions % members ? 1 : 0)
    }

    /// The owned partitions to release: those with the highest numbers.
    func surplus(owned: [Int], rank: Int) -> [Int] {
        Array(owned.sorted().dropFirst(count(rank: rank)))
    }
}
