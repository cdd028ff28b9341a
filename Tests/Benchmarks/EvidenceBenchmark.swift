import ArgumentParser
import Contracts
import TestKit

/// `counterfoil-bench evidence`: how long a phone that hands an app receipt in waits for its goods while Apple, who
/// alone knows whose they are, answers late.
struct Evidence: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "Hands in app receipts whose purchases wait for Apple's word, and Apple is slow."
    )

    struct Result: Encodable {
        /// What every answer of Apple's is late by, ms.
        let appleMs: Int64
        /// From the hand-in to `granted`.
        let grants: Latencies
    }

    @Option(help: "How many receipts, one after the other.")
    var receipts = 50

    @Option(help: "How late Apple answers, ms.")
    var appleMs: Int64 = 200

    func run() async throws {
        let grants = try await AppStoreGroup.use { group in
            _ = try await group.appStore.fault(
                at: "/production/inApps/",
                ["kind": .string("delay"), "milliseconds": .integer(appleMs)]
            )
            var grants = Latencies()
            for number in 1...receipts {
                let (buyer, gateway) = ("buyer-\(number)", group.gatewayWithKey)
                let order = try await gateway.issue(buyer, key: buyer).json(OrderAnswer.self)
                let sold = try await group.appStore.sell(
                    to: AppStoreGroup.bundleIDWithKey,
                    token: order.appAccountToken
                )
                await grants.measure {
                    let reply = try await gateway.submit(buyer, proof: sold.appReceipt, kind: "appReceipt")
                    return reply.text.contains(#""verdict":"granted""#) ? 200 : 500
                }
            }
            return grants
        }
        try report(Result(appleMs: appleMs, grants: grants))
    }
}
