import AppStore
import Contracts

/// Asks Apple about its own orders.
extension AppleWorker {
    /// The transactions of an order; the sandbox has no orders.
    func transactions(of order: AppleOrderID, _ job: AppleJob) async -> AppleJobResult {
        await access.run(job) { client throws(AppStoreServerError) in
            let answer = try await client.send(LookUpOrderID(order.rawValue), to: .production)
            guard answer.isValid else { return AppleJobResult(.unknown) }
            let signed = answer.signedTransactions ?? []
            let found = signed.compactMap { genuine(in: $0) }
            return .found(ProofContents(transactions: found, unreadable: signed.count - found.count))
        }
    }
}
