import Testing

@testable import Delivery

@Suite struct `partition shares` {
    static let most = 64

    @Test(arguments: 0...most) func `the shares of all members sum to the partitions`(partitions: Int) {
        for members in 1...Self.most {
            let share = PartitionShare(partitions: partitions, members: members)
            let counts = (0..<members).map(share.count)
            #expect(counts.reduce(0, +) == partitions)
            #expect(counts == counts.sorted(by: >), "a lower rank never has less")
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
        }
    }

    @Test(arguments: 1...most) func `no member releases below its share`(partitions: Int) {
        for members in 1...Self.most {
            let share = PartitionShare(partitions: partitions, members: members)
            for rank in 0..<members {
                let owned = Array((0..<partitions).reversed())
                let surplus = share.surplus(owned: owned, rank: rank)
                #expect(owned.count - surplus.count == share.count(rank: rank))
                let few = Array(owned.prefix(share.count(rank: rank)))
                #expect(share.surplus(owned: few, rank: rank).isEmpty)
            }
        }
    }

    @Test func `the partitions with the highest numbers are released`() {
        #expect(PartitionShare(partitions: 4, members: 2).surplus(owned: [3, 0, 2, 1], rank: 0) == [2, 3])
        #expect(PartitionShare(partitions: 5, members: 2).surplus(owned: [4, 1, 0], rank: 0).isEmpty)
        #expect(PartitionShare(partitions: 5, members: 2).surplus(owned: [4, 1, 0], rank: 1) == [4])
    }

    @Test func `a member that has lost sight of itself counts as one`() {
        #expect(PartitionShare(partitions: 4, members: 0).count(rank: 0) == 4)
        #expect(PartitionShare(partitions: 4, members: 2).count(rank: 7) == 2)
    }

    @Test func `members beyond the partitions own nothing`() {
        let share = PartitionShare(partitions: 2, members: 3)
        #expect((0..<3).map(share.count) == [1, 1, 0])
        #expect(share.surplus(owned: [0, 1], rank: 2) == [0, 1])
    }
}
