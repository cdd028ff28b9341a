import Contracts
import Testing

@testable import Entitlements

@Suite struct `days that were bought` {
    private static func bought(
        _ id: String,
        on day: Int64,
        days: Int,
        quantity: Int = 1
    ) -> TimedPossession.Purchase {
        TimedPossession.Purchase(
            id: PurchaseID(unchecked: id),
            purchaseDate: .day(day),
            durationDays: days,
            quantity: quantity
        )
    }

    /// Each span as purchase, first day and last day.
    private static func spans(_ purchases: [TimedPossession.Purchase]) -> [String] {
        TimedPossession.spans(of: purchases)
            .map { "\($0.id) \($0.begins.day)-\($0.ends.day)" }
    }

    @Test func `run from the purchase, as often as there are units`() {
        #expect(Self.spans([Self.bought("1", on: 10, days: 30)]) == ["1 10-40"])
        #expect(Self.spans([Self.bought("1", on: 10, days: 30, quantity: 3)]) == ["1 10-100"])
        #expect(TimedPossession.end(of: []) == nil)
    }

    @Test func `are added where they overlap, and begin anew after a gap`() {
        let first = Self.bought("1", on: 0, days: 30)
        let within = Self.bought("2", on: 10, days: 7)
        let atEnd = Self.bought("3", on: 37, days: 1)
        let later = Self.bought("4", on: 50, days: 5)
        #expect(Self.spans([first, within, atEnd, later]) == ["1 0-30", "2 30-37", "3 37-38", "4 50-55"])
    }

    @Test func `are laid anew without a purchase that was refunded`() {
        let first = Self.bought("1", on: 0, days: 30)
        let second = Self.bought("2", on: 10, days: 30)
        let third = Self.bought("3", on: 20, days: 30)
        #expect(Self.spans([first, second, third]).last == "3 60-90")
        #expect(Self.spans([first, third]) == ["1 0-30", "3 30-60"])
        #expect(Self.spans([second, third]) == ["2 10-40", "3 40-70"])
    }

    @Test func `are the same in whatever order the purchases come, also those of one moment`() {
        let purchases = [
            Self.bought("3", on: 5, days: 2), Self.bought("1", on: 5, days: 1),
            Self.bought("2", on: 0, days: 6),
            Self.bought("4", on: 30, days: 4),
        ]
        let expected = ["2 0-6", "1 6-7", "3 7-9", "4 30-34"]
        for first in purchases.indices {
            let rotated = Array(purchases[first...] + purchases[..<first])
            #expect(Self.spans(rotated) == expected)
            #expect(Self.spans(rotated.reversed()) == expected)
        }
    }

    @Test func `end with the year 9999 at the latest, and never before they begin`() {
        let most = [
            Self.bought("1", on: 0, days: 36_500, quantity: .max),
            Self.bought("2", on: 1, days: 36_500, quantity: 10),
        ]
        let last = TimedPossession.lastMoment
        #expect(TimedPossession.spans(of: most).map(\.ends) == [last, last])
        #expect(Self.spans([Self.bought("1", on: 3, days: 5, quantity: 0)]) == ["1 3-3"])
    }

    /// What one entitlement's purchases give on a day, as product, first day and last day; without days for ever.
    private static func held(_ sources: [(product: String, on: Int64, days: Int?)], at day: Int64) -> String?
    {
        var holding = Holding("vip")
        for (number, source) in sources.enumerated() {
            let product = ProductID(unchecked: source.product)
            if let days = source.days {
                let purchase = bought("\(number)", on: source.on, days: days)
                holding.timed.append(Holding.Timed(productId: product, purchase: purchase))
            } else {
                holding.permanent.append(Holding.Permanent(productId: product, purchaseDate: .day(source.on)))
            }
        }
        return holding.possession(at: .day(day)).map {
            let end = $0.expires.map { "\($0.day)" } ?? "ever"
            return "\($0.productId) \($0.since.day)-\(end)"
        }
    }

    @Test(arguments: [
        (9, "month 10-47"), (10, "month 10-47"), (39, "month 10-47"), (40, "week 10-47"), (46, "week 10-47"),
    ])
    func `are held without a break while they follow each other`(day: Int64, expected: String) {
        #expect(Self.held([("month", 10, 30), ("week", 20, 7)], at: day) == expected)
    }

    @Test(arguments: [(17, nil), (30, nil), (50, "week 50-57"), (57, nil)] as [(Int64, String?)])
    func `are not held after their end and in a gap`(day: Int64, expected: String?) {
        #expect(Self.held([("month", 0, 17), ("week", 50, 7)], at: day) == expected)
    }

    @Test func `count for nothing beside what lasts for ever`() {
        let forever: (String, Int64, Int?) = ("castle", 5, nil)
        #expect(Self.held([("week", 0, 7), forever], at: 3) == "castle 5-ever")
        #expect(Self.held([("week", 0, 7), forever], at: 99) == "castle 5-ever")
    }
}
