/// What callers did with one wallet, and when they knew of it.
package struct WalletHistory {
    package enum Action: Hashable, Sendable {
        case spend(key: String, amount: Int64)
        case credit(key: String, amount: Int64)
        /// The coins of a purchase, once.
        case grant(String)
        case read
    }

    package enum Result: Hashable, Sendable {
        case balance(Int64)
        case insufficient
        case done
    }

    /// One request; a repeated one is another operation.
    package struct Operation: Hashable, Sendable {
        package let action: Action
        /// The turn in which it was sent.
        package let invoked: Int
        /// The turn in which its reply came; nil when it never did.
        package var returned: Int?
        /// What the reply said; nil without one.
        package var result: Result?

        package init(action: Action, invoked: Int, returned: Int? = nil, result: Result? = nil) {
            self.action = action
            self.invoked = invoked
            self.returned = returned
            self.result = result
        }
    }

    /// One wallet of which all know everything at once.
    private struct Model: Hashable {
        let coinsPerGrant: Int64
        private var balance: Int64 = 0
        private var replies: [Action: Int64] = [:]
        private var granted: Set<String> = []

        init(coinsPerGrant: Int64) { self.coinsPerGrant = coinsPerGrant }

        mutating func apply(_ action: Action) -> Result {
            switch action {
            case .read: return .balance(balance)
            case .grant(let purchase):
                if granted.insert(purchase).inserted { balance += coinsPerGrant }
                return .done
            case .spend(_, let amount):
                if let reply = replies[action] { return .balance(reply) }
                guard balance >= amount else { return .insufficient }
                balance -= amount
            case .credit(_, let amount):
                if let reply = replies[action] { return .balance(reply) }
                balance += amount
            }
            replies[action] = balance
            return .balance(balance)
        }
    }

    private struct Place: Hashable {
        let done: UInt64
        let model: Model
    }

    package var operations: [Operation]
    private let coinsPerGrant: Int64

    package init(operations: [Operation] = [], coinsPerGrant: Int64 = 100) {
        self.operations = operations
        self.coinsPerGrant = coinsPerGrant
    }

    /// Whether one order explains every result, in which what had ended before something began comes before it.
    ///
    /// At most 64 of the operations may matter; a longer history is not explained.
    package var isLinearizable: Bool {
        WalletHistory(operations: whatMatters, coinsPerGrant: coinsPerGrant).isExplained
    }

    /// The operations without what explains nothing.
    ///
    /// A read without a reply has no effect. Of one action that was sent often without a reply, the earliest stands for
    /// all: an action has its effect once, and the earliest may have it at any time at which a later one may.
    private var whatMatters: [Operation] {
        var unanswered: Set<Action> = [.read]
        return operations.sorted { $0.invoked < $1.invoked }
            .filter { $0.result != nil || unanswered.insert($0.action).inserted }
    }

    private var isExplained: Bool {
        guard operations.count <= UInt64.bitWidth else { return false }
        var seen: Set<Place> = []
        return isExplained(from: Place(done: 0, model: Model(coinsPerGrant: coinsPerGrant)), &seen)
    }

    private func isExplained(from place: Place, _ seen: inout Set<Place>) -> Bool {
        guard seen.insert(place).inserted else { return false }
        let open = operations.indices.filter { place.done & (1 << UInt64($0)) == 0 }
        // Without a reply it may never have happened.
        if open.allSatisfy({ operations[$0].result == nil }) { return true }
        let firstEnd = open.compactMap { operations[$0].returned }.min() ?? .max
        for index in open where operations[index].invoked <= firstEnd {
            var model = place.model
            let result = model.apply(operations[index].action)
            guard operations[index].result == nil || operations[index].result == result else { continue }
            let next = Place(done: place.done | 1 << UInt64(index), model: model)
            if isExplained(from: next, &seen) { return true }
        }
        return false
    }
}
