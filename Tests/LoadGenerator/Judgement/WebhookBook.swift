import Contracts
import Foundation
import TestKit

/// What the game's server was told by webhooks, held against what the gateway answers.
struct WebhookBook: Sendable {
    private var server: FollowingServer

    init(_ products: [Product]) {
        let counted = Set(products.flatMap(\.amounts.keys))
        server = FollowingServer { counted.contains($0) }
    }

    /// Takes the body of a webhook; one that was here before has no effect.
    mutating func note(_ body: Data) throws { try server.take(body) }

    /// Whether the server believes what the gateway answers; `own` is what it spent and credited itself.
    func agrees(with answer: EntitlementsV1, own: [String: Int64]) -> Bool {
        let account = FollowingServer.Account(buyer: answer.buyerId, environment: answer.environment)
        let possessions = answer.entitlements.map { ($0.entitlement, $0.expires?.milliseconds) }
        let held = Dictionary(possessions, uniquingKeysWith: { first, _ in first })
        guard server.holdings(of: account) == held else { return false }
        let balances = server.amounts(of: account).merging(own, uniquingKeysWith: +)
        return balances.filter { $0.value != 0 } == answer.balances.filter { $0.value != 0 }
    }
}
