import Contracts
import Delivery
import NotificationsCore

/// `counterfoil.verdict.wait.v1`: the verdict on a submission, as soon as there is one.
struct OnVerdictWait {
    func callAsFunction(
        _ message: Event<VerdictWaitV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<ReceiptVerdictV1> {
        let request = message.data
        let store = VerdictStore(connection: context.connection)
        let (standing, bundle) = try store.standing(request.receiptId)
        guard bundle == nil || bundle == request.bundleId else {
            return .refused(
                RequestRefusal(.notFound, "No receipt of this app has this id.", field: "receiptId")
            )
        }
        guard !standing.answersNow(wait: request.wait) else { return .reply(standing.answer) }
        let patience = min(request.wait, ReceiptStanding.maximumWaitMilliseconds)
        return .wait(
            on: request.receiptId.rawValue,
            until: context.now.advanced(by: Int64(patience)),
            otherwise: standing.answer
        )
    }
}
