import Contracts
import OrdersCore
import Testing

@Suite struct `the watch over an open order` {
    static let issued = Timestamp(milliseconds: 1_760_000_000_000)
    static let minute: Int64 = 60_000
    static let hour = 60 * minute

    /// An age within each column of the table.
    static let ages: [Int64] = [0, 30 * minute, 3 * hour, 12 * hour, 48 * hour, 1_000 * hour]
    /// The looks after one at each of these ages, by the looks before it: the table once more.
    static let table: [[Int]] = [
        [1, 1, 2, 3, 4, 5],
        [2, 2, 2, 3, 4, 5],
        [3, 3, 3, 3, 4, 5],
        [4, 4, 4, 4, 4, 5],
        [5, 5, 5, 5, 5, 5],
        [5, 5, 5, 5, 5, 5],
    ]

    private static func watch(_ looks: Int) -> OrderWatch { OrderWatch(issuedAt: issued, looks: looks) }

    @Test func `looks after 10 minutes, 1, 6, 24 and 72 hours, and then no more`() {
        let ages = (0...6).map { Self.watch($0).dueAt.map { $0.milliseconds - Self.issued.milliseconds } }
        #expect(
            ages == [10 * Self.minute, Self.hour, 6 * Self.hour, 24 * Self.hour, 72 * Self.hour, nil, nil]
        )
    }

    @Test(arguments: 0...5, 0..<6)
    func `a look at any age leaves what the table says`(looks: Int, column: Int) {
        var watch = Self.watch(looks)
        watch.look(at: Self.issued.advanced(by: Self.ages[column]))
        #expect(watch == Self.watch(Self.table[looks][column]))
    }

    @Test(arguments: 0..<5)
    func `a step that is minutes ahead is taken along, and none that is further`(step: Int) {
        let early = OrderWatch.ages[step] - OrderWatch.togetherMilliseconds
        var taken = Self.watch(0)
        taken.look(at: Self.issued.advanced(by: early))
        #expect(taken.looks == step + 1)
        var left = Self.watch(0)
        left.look(at: Self.issued.advanced(by: early - 1))
        #expect(left.looks == max(step, 1))
    }

    @Test(arguments: ages + [-hour, -1_000 * hour])
    func `ends after five looks at most, whatever the clock says`(age: Int64) {
        var watch = Self.watch(0)
        for _ in 1...5 { watch.look(at: Self.issued.advanced(by: age)) }
        #expect(watch.dueAt == nil)
    }

    @Test func `begins with an order that is open, and with no other`() {
        let dueAt = Self.watch(0).dueAt
        for payment in `an order`.payments {
            let order = `an order`.order(payment, .none)
            #expect(order.firstLookAt == (payment == .issued ? dueAt : nil))
        }
    }
}
