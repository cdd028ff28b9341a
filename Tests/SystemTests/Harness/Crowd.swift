import NIOConcurrencyHelpers
import TestKit

/// A few dozen phones that buy without pause: some submit twice at once, some pay late.
struct Crowd {
    static let phones = 24
    private static let buyers = 8

    private struct State {
        var bought: [Purchase] = []
        var isOver = false
    }

    private let group: TestGroup
    private let state = NIOLockedValueBox(State())

    /// Purchases whose proof was acknowledged so far.
    var count: Int { state.withLockedValue { $0.bought.count } }

    /// Waits until so many more purchases were acknowledged.
    func buys(_ more: Int, within limit: Duration = .seconds(60)) async throws {
        let goal = count + more
        try await eventually("\(more) more purchases", within: limit, detail: { "\(count) of \(goal)" }) {
            count >= goal
        }
    }

    /// Lets phones buy while `body` runs; then every phone finishes what it has in hand.
    ///
    /// - Returns: every purchase whose proof was acknowledged, which is every one that was paid.
    @discardableResult
    static func buying(_ group: TestGroup, _ body: (Crowd) async throws -> Void) async throws -> [Purchase] {
        let crowd = Crowd(group: group)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for phone in 0..<phones { tasks.addTask { try await crowd.live(as: phone) } }
            do {
                try await body(crowd)
            } catch {
                tasks.cancelAll()
                throw error
            }
            crowd.state.withLockedValue { $0.isOver = true }
            try await tasks.waitForAll()
        }
        return crowd.state.withLockedValue { $0.bought }
    }

    private func live(as phone: Int) async throws {
        var turn = phone
        while !state.withLockedValue({ $0.isOver }) {
            turn += 1
            let purchase = try await group.pay("buyer-\(phone % Self.buyers)", late: turn % 6 == 0)
            try await submit(purchase, twice: turn % 4 == 0)
            state.withLockedValue { $0.bought.append(purchase) }
        }
    }

    private func submit(_ purchase: Purchase, twice: Bool) async throws {
        async let again: Void = twice ? submit(purchase) : ()
        try await submit(purchase)
        try await again
    }

    private func submit(_ purchase: Purchase) async throws {
        let verdict = try await group.gateway.retry("submission") {
            try await group.gateway.submit(purchase.buyer, proof: purchase.proof, order: purchase.orderId)
        }
        .json(VerdictAnswer.self)
        guard verdict.finish == verdict.isGranted, verdict.isGranted || verdict.verdict == "pending" else {
            throw HarnessFault("not the verdict of a purchase: \(verdict)")
        }
    }
}
