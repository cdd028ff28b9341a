import Contracts
import Delivery

/// `counterfoil.consumption.reported.v1`: the ledger says what was used of a purchase, and whether Apple may be told.
struct OnConsumptionReported {
    func callAsFunction(
        _ message: Event<ConsumptionReportedV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let body = message.data
        let key = ConsumptionRequest.Key(
            environment: body.environment,
            bundleID: body.bundleId,
            transactionID: body.transactionId
        )
        // One that is answered or over is gone.
        guard let request = try ConsumptionRequestStore(connection: context.connection).request(key) else {
            return .applied
        }
        let report = ConsumptionRequest.Report(
            isConsented: body.isConsented,
            isDelivered: body.isDelivered,
            consumed: body.consumed,
            reportedAt: context.now
        )
        try ConsumptionRequests(context).apply(.reported(report), to: request)
        return .applied
    }
}
