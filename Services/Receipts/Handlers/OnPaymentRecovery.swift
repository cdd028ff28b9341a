import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.payment.recovery.v1`: an order has been open for a while, and Apple is asked what its buyer bought.
///
/// Where no key is configured nothing is stored.
struct OnPaymentRecovery {
    /// Clocks may differ by so many ms: what was bought a little before the order is asked for, too.
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
