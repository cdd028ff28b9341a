import Contracts
import TestKit
import Testing

@testable import Entitlements

/// Grants, spends and credits of one buyer, of several callers at once.
@Suite struct `the history of a wallet` {
    private static let seeds = 1...200

    private static func history(_ seed: Int, _ isolation: WalletCallers.Isolation) throws -> WalletHistory {
        var callers = WalletCallers(seed: seed, isolation)
        try callers.run()
        return callers.history
    }

    @Test func `is explained by one order, whatever crosses, comes twice or is lost`() throws {
        var (refused, repeated) = (0, 0)
        for seed in Self.seeds {
            let history = try Self.history(seed, .inItsTransaction)
            #expect(history.isLinearizable, "seed \(seed): \(history.operations)")
            let results = history.operations.filter { $0.result != nil }
            refused += results.count { $0.result == .insufficient }
            repeated += results.count - Set(results.map(\.action)).count
        }
        #expect(refused > 100 && repeated > 100, "too tame: \(refused) refused, \(repeated) repeated")
    }

    @Test func `is not, once a spend reads the balance before its transaction`() throws {
        let broken = try Self.seeds.count { !(try Self.history($0, .beforeItsTransaction).isLinearizable) }
        #expect(broken > 20, "only \(broken)")
    }

    @Test func `counts what was sent often without a reply once, and still sees its effect`() {
        let lost = WalletHistory.Action.spend(key: "a", amount: 60)
        let attempts = (0..<100).map {
            WalletHistory.Operation(action: $0 % 2 == 0 ? lost : .read, invoked: $0)
        }
        func history(ends balances: Int64...) -> WalletHistory {
            let grant = WalletHistory.Operation(
                action: .grant("1"),
                invoked: 100,
                returned: 101,
                result: .done
            )
            let reads = balances.enumerated().map { turn, balance in
                WalletHistory.Operation(
                    action: .read,
                    invoked: 102 + 2 * turn,
                    returned: 103 + 2 * turn,
                    result: .balance(balance)
                )
            }
            return WalletHistory(operations: attempts + [grant] + reads)
        }
        #expect(history(ends: 100, 40).isLinearizable)
        #expect(!history(ends: 40, 100).isLinearizable)
        #expect(!history(ends: 40, 0).isLinearizable, "it has its effect once")
    }

    @Test(arguments: [64, 65])
    func `is not explained if more of it matters than can be weighed`(count: Int) {
        let reads = (0..<count).map {
            WalletHistory.Operation(
                action: .read,
                invoked: 2 * $0,
                returned: 2 * $0 + 1,
                result: .balance(0)
            )
        }
        #expect(WalletHistory(operations: reads).isLinearizable == (count <= 64))
    }

    @Test func `that no order explains is found`() {
        func spend(_ key: String, _ from: Int, _ to: Int, _ left: Int64) -> WalletHistory.Operation {
            let action = WalletHistory.Action.spend(key: key, amount: 60)
            return .init(action: action, invoked: from, returned: to, result: .balance(left))
        }
        let grant = WalletHistory.Operation(action: .grant("1"), invoked: 0, returned: 1, result: .done)
        #expect(WalletHistory(operations: [grant, spend("a", 2, 3, 40)]).isLinearizable)
        #expect(WalletHistory(operations: [grant, spend("a", 0, 3, 40)]).isLinearizable)
        #expect(
            !WalletHistory(operations: [grant, spend("a", 2, 4, 40), spend("b", 3, 5, 40)]).isLinearizable
        )
        let late = WalletHistory.Operation(action: .grant("1"), invoked: 4, returned: 5, result: .done)
        #expect(!WalletHistory(operations: [spend("a", 2, 3, 40), late]).isLinearizable)
    }
}
