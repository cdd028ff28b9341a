package import Contracts

/// The facts of each purchase: those that share an order, a purchase, a transaction, a receipt, or an order of Apple's
/// of which no transaction is known.
///
/// A receipt with several transactions would join its purchases; where a fact names an order or a purchase, its receipt
/// joins nothing.
package enum DeskGroups {
    /// Each group in the order of time; first those in which something happened last.
    package static func of(_ facts: [DeskFact]) -> [[DeskFact]] {
        var leaders: [String: String] = [:]
        func leader(_ name: String) -> String {
            var current = name
            while let next = leaders[current], next != current { current = next }
            return current
        }
        let named = facts.map { ($0, names(of: $0)) }
        for (_, names) in named {
            guard let first = names.first else { continue }
            for name in names.dropFirst() { leaders[leader(name)] = leader(first) }
        }
        var receipts: [String: String] = [:]
        for (fact, names) in named {
            if let receipt = fact.receiptId?.rawValue, let first = names.first {
                receipts[receipt] = leader(first)
            }
        }
        let groups = Dictionary(grouping: named) { fact, names in
            names.first.map(leader) ?? fact.receiptId.map { receipts[$0.rawValue] ?? $0.rawValue } ?? ""
        }
        let sorted = groups.values.map { $0.map(\.0).sorted { ($0.at, $0.rank) < ($1.at, $1.rank) } }
        return sorted.sorted { ($0.last?.at ?? .never, $0.count) > ($1.last?.at ?? .never, $1.count) }
    }

    private static func names(of fact: DeskFact) -> [String] {
        let names = [
            fact.orderId?.rawValue, fact.purchaseId?.rawValue, fact.transactionId?.rawValue,
            fact.appleOrderId?.rawValue,
        ]
        return names.compactMap(\.self)
    }
}

extension Timestamp {
    fileprivate static let never = Timestamp(milliseconds: 0)
}

extension DeskFact {
    /// Of what has the same time, what comes first: what an operator does comes before what follows from it, and a
    /// compensation before what it gives; the purchase with which one is matched has come before.
    fileprivate var rank: Int {
        switch kind {
        case .act: -2
        case .compensated where word != CompensationV1.State.matched.rawValue: -1
        case _: Kind.allCases.firstIndex(of: kind) ?? 0
        }
    }
}
