import Contracts
import Delivery

/// `counterfoil.payment.recovery.v1`: asks Apple what the buyer of a long-open order bought, if a key is configured.
struct OnPaymentRecovery {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<PaymentRecoveryV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let recovery = message.data
        if let query = HistoryQuery(recovery, policy: policies[recovery.bundleId]) {
            try AppleQueries(context).ask(.history(query), of: recovery.bundleId, .background)
        }
        return .applied
    }
}
