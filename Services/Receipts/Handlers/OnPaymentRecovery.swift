import Contracts
import Delivery

/// `counterfoil.payment.recovery.v1`: asks Apple what the buyer of a long-open order bought, if a key is configured.
struct OnPaymentRecovery {
    /// Clock tolerance for purchases before the order, ms.
    private static let clockMilliseconds: Int64 = 3_600_000

    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<PaymentRecoveryV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let recovery = message.data
        guard policies[recovery.bundleId]?.apis.contains(.serverAPI) == true else { return .applied }
        let query = HistoryQuery(
            environment: recovery.environment,
            transactionId: recovery.transactionId,
            since: recovery.since.advanced(by: -Self.clockMilliseconds)
        )
        try context.ask(.history(query), of: recovery.bundleId, .background)
        return .applied
    }
}
