import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.payment.recovery.v1`: an order has been open for a while, and Apple is asked what its buyer bought.
///
/// Where no key is configured there is nobody to ask, and nothing is kept of it.
struct OnPaymentRecovery {
    /// Clocks may differ by so many ms: what was bought a little before the order is asked for, too.
    private static let clockMilliseconds: Int64 = 3_600_000

    let policies: [BundleID: AppPolicy]

    func callAsFunction(
        _ message: Event<PaymentRecoveryV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let sought = message.data
        guard policies[sought.bundleId]?.apis.contains(.serverAPI) == true else { return .applied }
        let query = HistoryQuery(
            environment: sought.environment,
            transactionId: sought.transactionId,
            since: sought.since.advanced(by: -Self.clockMilliseconds)
        )
        try context.ask(.history(query), of: sought.bundleId, .background)
        return .applied
    }
}

extension HandlerContext {
    /// Asks the App Store Server API, after COMMIT and as soon as its pace allows.
    mutating func ask(
        _ subject: AppleQueryRecord.Subject,
        of bundleID: BundleID,
        _ urgency: AppleQueryRecord.Urgency
    ) throws {
        let row = AppleQueryRecord(subject, of: bundleID, to: .serverAPI, urgency: urgency, now: now)
        try AppleQueryStore(connection: connection).ask(row)
        scheduleWork(at: now)
    }
}
