import Contracts
import Testing

@testable import Orders

@Suite struct `the lookups of an open order` {
    static let issued = Timestamp(milliseconds: 1_760_000_000_000)
    static let minute: Int64 = 60_000
    static let hour = 60 * minute

    /// An age within each column of the table.
    static let ages: [Int64] = [0, 30 * minute, 3 * hour, 12 * hour, 48 * hour, 1_000 * hour]
    /// The count after one at each of these ages, by the count before it: the table once more.
    static let table: [[Int]] = [
        [1, 1, 2, 3, 4, 5],
        [2, 2, 2, 3, 4, 5],
        [3, 3, 3, 3, 4, 5],
        [4, 4, 4, 4, 4, 5],
        [5, 5, 5, 5, 5, 5],
        [5, 5, 5, 5, 5, 5],
    ]

    private static func schedule(_ lookups: Int) -> PaymentLookupSchedule {
        PaymentLookupSchedule(issuedAt: issued, lookups: lookups)
    }

    @Test(arguments: 0...5, 0..<6)
    func `one at any age leaves what the table says`(lookups: Int, column: Int) {
        var schedule = Self.schedule(lookups)
        schedule.lookUp(at: Self.issued.advanced(by: Self.ages[column]))
        #expect(schedule == Self.schedule(Self.table[lookups][column]))
    }

    @Test(arguments: 0..<5)
    func `one that is due within minutes is done together with another, and none later`(step: Int) {
        let early = PaymentLookupSchedule.ages[step] - PaymentLookupSchedule.coalescingMilliseconds
        var taken = Self.schedule(0)
        taken.lookUp(at: Self.issued.advanced(by: early))
        #expect(taken.lookups == step + 1)
        var left = Self.schedule(0)
        left.lookUp(at: Self.issued.advanced(by: early - 1))
        #expect(left.lookups == max(step, 1))
    }

    @Test(arguments: ages + [-hour, -1_000 * hour])
    func `end after five at most, whatever the clock says`(age: Int64) {
        var schedule = Self.schedule(0)
        for _ in 1...5 { schedule.lookUp(at: Self.issued.advanced(by: age)) }
        #expect(schedule.dueAt == nil)
    }

    @Test func `begin with an order that is open, and with no other`() {
        let dueAt = Self.schedule(0).dueAt
        for payment in `an order`.payments {
            let order = `an order`.order(payment, .none)
            let first = PaymentLookupSchedule.firstLookup(of: order)
            #expect(first == ([.issued, .deferred].contains(payment) ? dueAt : nil))
        }
    }
}
