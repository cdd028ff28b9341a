import Contracts
import Delivery

/// `counterfoil.verdict.wait.v1`: the verdict on a submission, as soon as there is one.
struct OnVerdictWait {
    func callAsFunction(
        _ message: Event<VerdictWaitV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<ReceiptVerdictV1> {
        let request = message.data
        let status = try VerdictStore(connection: context.connection).status(request.receiptId)
        guard status.bundleId == nil || status.bundleId == request.bundleId else {
            return .refused(
                RequestRefusal(.notFound, "No receipt of this app has this id.", field: "receiptId")
            )
        }
        guard !status.repliesNow(wait: request.wait) else { return .reply(status.verdict) }
        let wait = min(request.wait, SubmissionStatus.maximumWaitMilliseconds)
        return .wait(
            on: request.receiptId.rawValue,
            until: context.now.advanced(by: Int64(wait)),
            otherwise: status.verdict
        )
    }
}
