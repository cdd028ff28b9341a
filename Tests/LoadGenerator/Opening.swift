import Contracts
import TestKit

/// The first questions to a gateway.
struct Opening: Sendable {
    /// How long the gateway is waited for, in seconds.
    private static let timeout = 30.0
    /// How long the App Store is waited for until the group has asked it, in seconds.
    private static let questionTimeout = 15.0
    private static let pause = Duration.milliseconds(100)

    let client: GatewayClient

    /// Waits until the gateway answers, and finds out whether it knows the key.
    ///
    /// - Throws: `WrongUse` when it does not, or does not answer.
    func wait() async throws {
        _ = try await answer(as: LedgerPage.self) {
            try await client.ledger(of: "load-opening", after: nil, limit: 1)
        }
    }

    /// These products with what the catalog says of them, and its subscriptions.
    ///
    /// - Throws: `WrongUse` when the catalog does not have them.
    func completed(_ assortment: Assortment, for shares: Shares) async throws -> Assortment {
        let catalog = try await answer(as: CatalogAnswer.self) {
            try await client.get("/v1/products?bundleId=\(client.bundleID)")
        }
        let whole = try assortment.completed(by: catalog)
        guard !whole.subscriptions.isEmpty || !shares.has(.renewals) else {
            throw WrongUse(
                description:
                    "the catalog sells no autoRenewable product: add one, or leave `renewals` out of --shares"
            )
        }
        guard !whole.movableNumbers.isEmpty || !shares.has(.transfers) else {
            throw WrongUse(
                description:
                    "no product of the catalog moves: add `onOtherLogin`, or leave `transfers` out of --shares"
            )
        }
        guard whole.consumables.allSatisfy({ !$0.amounts.isEmpty }) || !shares.has(.spends) else {
            throw WrongUse(
                description: "a product of --products grants no amount: leave it or `spends` of --shares out"
            )
        }
        return whole
    }

    /// Finds out whether the group asks this App Store whose the purchases of an app receipt are.
    ///
    /// - Throws: `WrongUse` when it does not: whoever hands such a receipt in first would have the goods.
    func check(_ appStore: AppStoreClient, selling product: Product) async throws {
        let start = Timestamp.now().milliseconds / 1_000
        let sale = await Reply<SimulatorProcess.Sold>.of { try await appStore.sell(product, quantity: 1) }
        guard case .answered(let sold) = sale, let receipt = sold.appReceipt else {
            throw WrongUse(description: "the simulator of --app-store does not sell `\(product.id)`")
        }
        let told = try await answer(as: VerdictAnswer.self) {
            try await client.submit("load-opening", proof: receipt, kind: "appReceipt")
        }
        guard told.verdict != "parked" || told.reason != "untrusted" else { throw WrongUse.untrustedRoot }
        let deadline = ContinuousClock.now + .seconds(Self.questionTimeout)
        while try await appStore.historyAnswers(since: start) == 0 {
            guard ContinuousClock.now < deadline else { throw WrongUse.withoutKey }
            try await Task.sleep(for: Self.pause)
        }
    }

    private func answer<Value: Decodable & Sendable>(
        as type: Value.Type,
        to request: () async throws -> HTTPReply
    ) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(Self.timeout)
        while true {
            switch await Reply<Value>.of(request) {
            case .answered(let value): return value
            case .rejected(let reason):
                throw WrongUse(description: "the gateway rejects the first question: \(reason)")
            case .failed(let reason):
                guard ContinuousClock.now < deadline else {
                    throw WrongUse(description: "the gateway does not answer: \(reason)")
                }
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}
