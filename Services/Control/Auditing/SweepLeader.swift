/// Which partition of Orders says where windows end: the one with the most purchases that has not come to its end.
struct SweepLeader {
    private var counts: [Int]
    private var ended: Set<Int> = []

    init(partitions: Int) { counts = Array(repeating: 0, count: partitions) }

    var partition: Int? {
        counts.indices.filter { !ended.contains($0) }.max { (counts[$0], -$0) < (counts[$1], -$1) }
    }

    mutating func note(_ purchases: Int, of partition: Int) { counts[partition] += purchases }

    mutating func noteEnd(of partition: Int) { ended.insert(partition) }
}
