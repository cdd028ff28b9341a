import Contracts
import Delivery
import Domain
import TestKit

@testable import Entitlements

/// Callers of one wallet whose requests are sent twice, cross each other, and lose their replies.
struct WalletCallers {
    /// Where a spend reads the balance.
    enum Isolation {
        case inItsTransaction
        /// As no program of ours may: what another request did in between is not seen.
        case beforeItsTransaction
    }

    private struct Request {
        let operation: Int
        var balance: Int64?
    }

    private static let callers = 4
    private static let requestsPerCaller = 3
    private static let actions: [WalletHistory.Action] = [
        .grant("1"), .grant("2"), .spend(key: "a", amount: 60), .spend(key: "b", amount: 60),
        .spend(key: "c", amount: 90), .spend(key: "d", amount: 25), .credit(key: "a", amount: 40),
        .credit(key: "b", amount: 5),
    ]

    private let harness = EntitlementsHarness()
    private let isolation: Isolation
    private var random: SeededRandom
    private(set) var history = WalletHistory()
    private var turn = 0
    private var requests: [Request] = []
    private var replies: [(operation: Int, result: WalletHistory.Result)] = []
    /// The operation for which each caller waits, and how many it may still send.
    private var waiting = [Int?](repeating: nil, count: callers)
    private var left = [Int](repeating: requestsPerCaller, count: callers)

    init(seed: Int, _ isolation: Isolation) {
        self.isolation = isolation
        random = SeededRandom(seed: seed)
    }

    /// Runs until nothing travels and nobody has anything to send; the last operation reads the balance.
    mutating func run() throws {
        while step(waiting.indices.contains { mayWork($0) }) { try act() }
        let balance = try harness.holdings().balances["coins"] ?? 0
        history.operations.append(
            .init(action: .read, invoked: turn + 1, returned: turn + 2, result: .balance(balance))
        )
    }

    private mutating func step(_ mayContinue: Bool) -> Bool {
        turn += 1
        return mayContinue || !requests.isEmpty || !replies.isEmpty
    }

    private func mayWork(_ caller: Int) -> Bool { waiting[caller] == nil && left[caller] > 0 }

    private mutating func act() throws {
        let ready = waiting.indices.filter { mayWork($0) }
        switch random.below(3) {
        case 0 where !ready.isEmpty: send(random.pick(ready))
        case 1 where !replies.isEmpty: deliver(replies.remove(at: random.below(replies.count)))
        default:
            if !requests.isEmpty { try handle(requests.remove(at: random.below(requests.count))) }
        }
    }

    /// A caller sends something, perhaps twice; each of both is an operation of its own.
    private mutating func send(_ caller: Int) {
        left[caller] -= 1
        let action = random.pick(Self.actions)
        waiting[caller] = history.operations.count
        for _ in 0...(random.below(3) == 0 ? 1 : 0) {
            requests.append(Request(operation: history.operations.count))
            history.operations.append(.init(action: action, invoked: turn))
        }
    }

    /// A caller waits no longer when its reply comes, or is lost.
    private mutating func deliver(_ reply: (operation: Int, result: WalletHistory.Result)) {
        if random.below(5) > 0 {
            history.operations[reply.operation].returned = turn
            history.operations[reply.operation].result = reply.result
        }
        for caller in waiting.indices where waiting[caller] == reply.operation { waiting[caller] = nil }
    }

    private mutating func handle(_ request: Request) throws {
        let action = history.operations[request.operation].action
        if case .spend = action, isolation == .beforeItsTransaction, request.balance == nil {
            var request = request
            request.balance = try harness.holdings().balances["coins"] ?? 0
            requests.append(request)
            return
        }
        replies.append((request.operation, try result(of: action, request.balance)))
    }

    private func result(
        of action: WalletHistory.Action,
        _ known: Int64?
    ) throws -> WalletHistory.Result {
        switch action {
        case .read: return .balance(try harness.holdings().balances["coins"] ?? 0)
        case .grant(let purchase):
            try harness.grant(.facts(purchase))
            return .done
        case .credit(let key, let amount): return Self.result(try harness.credit(amount, key: key))
        case .spend(let key, let amount):
            if let known { return Self.result(try spend(amount, key: key, outOf: known)) }
            return Self.result(try harness.spend(amount, key: key))
        }
    }

    private static func result(_ outcome: RequestOutcome<WalletEntryV1>) -> WalletHistory.Result {
        outcome.reply.map { .balance($0.balance) } ?? .insufficient
    }

    /// Spends by a balance that was read earlier; everything else is the service's own.
    private func spend(
        _ amount: Int64,
        key: String,
        outOf balance: Int64
    ) throws -> RequestOutcome<WalletEntryV1> {
        let content = WalletMoveV1(
            bundleId: .game,
            buyerId: .ada,
            environment: .production,
            kind: .spend,
            entitlement: "coins",
            amount: amount,
            idempotencyKey: key
        )
        let request = WalletRequest(.spend, .game, .ada, key: key, content: "\(amount)")
        return try harness.handle(content) { message, context in
            try WalletRequests(context).carryOut(request, of: message.id) { _, _ in
                try Wallet.move(content, balance: balance, isCounted: true, metadataBytes: 0)
            }
        }
    }
}
