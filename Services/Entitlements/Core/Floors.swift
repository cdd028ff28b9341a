import Contracts

/// The balances of a buyer that must not fall below zero, by entitlement.
struct Floors: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    private var balances: [String: Int64]

    init(_ balances: [String: Int64]) { self.balances = balances }

    init(dictionaryLiteral balances: (String, Int64)...) {
        self.init(Dictionary(uniqueKeysWithValues: balances))
    }

    /// A balance; nil if it may fall below zero.
    subscript(entitlement: String) -> Int64? {
        get { balances[entitlement] }
        set { balances[entitlement] = newValue }
    }

    /// These balances after the amounts that some lines move.
    func adding(_ lines: [Grant.Line]) -> Floors {
        lines.reduce(into: self) { floors, line in
            guard !line.isPossession, let balance = floors[line.entitlement] else { return }
            floors[line.entitlement] = balance + (line.kind.isForBuyer ? line.amount : -line.amount)
        }
    }
}
