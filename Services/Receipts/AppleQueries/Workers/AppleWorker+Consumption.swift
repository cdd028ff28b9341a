import AppStore
import Contracts

/// Tells Apple what was used of a purchase.
extension AppleWorker {
    /// Apple's refusal is final: the same answer would be refused again.
    func tell(
        _ report: ConsumptionRequest.Report,
        about key: ConsumptionRequest.Key,
        _ job: AppleJob
    ) async -> AppleJobResult {
        let answer = SendConsumptionInformation(
            transactionId: key.transactionID,
            customerConsented: report.isConsented,
            deliveryStatus: report.isDelivered ? .delivered : .undeliveredOther,
            sampleContentProvided: false,
            consumptionPercentage: report.consumed
        )
        return await access.run(job) { client throws(AppStoreServerError) in
            do throws(AppStoreServerError) {
                _ = try await client.send(answer, to: key.environment.server)
                return .found()
            } catch {
                switch error {
                case .rejected(let code), .notFound(let code):
                    return .refused(.unverified, problem: "\(code.rawValue)")
                case .unavailable, .rateLimited, .unauthorized, .malformedResponse, .cancelled: throw error
                }
            }
        }
    }
}
