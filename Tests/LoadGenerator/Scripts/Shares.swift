import ArgumentParser

/// How a customer and the phone behave.
enum Habit: String, CaseIterable, Sendable {
    /// One order, one payment, one submission.
    case plain
    /// The first answer is lost on its way, and the phone submits again.
    case duplicates
    /// The order was closed before the payment came.
    case late
    /// Two parts of the app submit the same proof at the same moment.
    case twoAtOnce
    /// The proof is submitted under another buyer's login.
    case otherLogin
    /// Two payments carry the same token.
    case tokenTwice
    /// The phone dies before the answer; most come back and submit again.
    case diesBeforeAnswer
    /// A second device restores what was bought, half of the time under another buyer's login.
    case restores
    /// A subscription that Apple renews without the phone; some go on with another product, some are refunded.
    case renewals
    /// Apple gives the money back, all of it or a part; sometimes it takes the refund back, too.
    case refunds
    /// What was bought is spent; some of it is given back, and something is earned.
    case spends
    /// Another login restores what was bought, so that it moves.
    case transfers
    /// Another login on the same phone hands in the app receipt before whoever paid hands in the proof.
    case sharedPhones
    /// Operators make up for the order; then its proof comes, or they take it back, or both.
    case compensations
    /// Apple alone tells of the purchase, which names nobody; an operator gives it to its buyer.
    case assignments

    /// Those in which operators act.
    static let atTheDesk: [Habit] = [.compensations, .assignments]

    /// Whether what it leads to can only be judged by what the catalog grants.
    var needsCatalog: Bool {
        [.renewals, .refunds, .spends, .transfers, .sharedPhones].contains(self)
            || Self.atTheDesk.contains(self)
    }
}

/// Which part of all customers has which habit; the rest buys plainly.
struct Shares: ExpressibleByArgument, Equatable, Sendable {
    private(set) var parts: [Habit: Double]

    static let standard = Shares(
        parts: Dictionary(uniqueKeysWithValues: standardHabits.map { ($0, 0.05) })
            .merging([.renewals: 0.1, .refunds: 0.1, .spends: 0.15]) { _, other in other }
    )

    /// All that need no more than a gateway.
    private static var standardHabits: [Habit] {
        Habit.allCases.filter { ![.plain, .sharedPhones].contains($0) && !Habit.atTheDesk.contains($0) }
    }

    init(parts: [Habit: Double]) { self.parts = parts }

    init?(argument: String) {
        parts = [:]
        if argument == "none" { return }
        for item in argument.split(separator: ",") {
            let sides = item.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let habit = Habit(rawValue: String(sides[0])), habit != .plain,
                let part = Double(sides[1]), (0...1).contains(part)
            else { return nil }
            parts[habit] = part
        }
        guard isWithinAll else { return nil }
    }

    var defaultValueDescription: String {
        Habit.allCases.compactMap { habit in parts[habit].map { "\(habit.rawValue)=\($0)" } }.joined(
            separator: ","
        )
    }

    /// Whether there are enough customers for all habits.
    var isWithinAll: Bool { parts.values.reduce(0, +) <= 1.000_001 }

    /// The same, with so many more in a hundred customers who share a phone.
    func sharingPhones(percentage: Double) -> Shares {
        guard percentage > 0 else { return self }
        var shares = self
        shares.parts[.sharedPhones, default: 0] += percentage / 100
        return shares
    }

    /// The same, with so many more in a hundred customers after whom operators look, in equal parts.
    func atTheDesk(percentage: Double) -> Shares {
        guard percentage > 0 else { return self }
        var shares = self
        for habit in Habit.atTheDesk {
            shares.parts[habit, default: 0] += percentage / 100 / Double(Habit.atTheDesk.count)
        }
        return shares
    }

    func has(_ habit: Habit) -> Bool { parts[habit, default: 0] > 0 }

    /// Whether balances and access are judged, too.
    var needCatalog: Bool { Habit.allCases.contains { $0.needsCatalog && has($0) } }

    func habit(at place: Double) -> Habit {
        var end = 0.0
        for habit in Habit.allCases {
            end += parts[habit] ?? 0
            if place < end { return habit }
        }
        return .plain
    }
}
