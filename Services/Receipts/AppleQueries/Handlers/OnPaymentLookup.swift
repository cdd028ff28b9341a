import Contracts
import Delivery

/// `counterfoil.payment.lookup.v1`: asks Apple what the buyer of a long-open order bought, if a key is configured.
struct OnPaymentLookup {
    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<PaymentLookupV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let lookup = message.data
        if let query = HistoryQuery(lookup, policy: policies[lookup.bundleId]) {
            try AppleQueries(context).ask(.history(query), of: lookup.bundleId, .background)
        }
        return .applied
    }
}
