import Contracts
import Delivery

/// `counterfoil.verdict.wait.v1`: the verdict on a submission, as soon as there is one.
struct OnVerdictWait {
    func callAsFunction(
        _ message: Event<VerdictWaitV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ReceiptVerdictV1> {
        let (request, store) = (message.data, VerdictStore(connection: context.connection))
        let status = try store.status(request.receiptId)
        let submitter = request.buyerId == nil ? nil : try store.submitter(of: request.receiptId)
        guard status.isVisible(to: request.bundleId, request.buyerId, submitter: submitter) else {
            let detail = "No receipt of this app has this id."
            return .refused(RequestRefusal(.notFound, detail, field: "receiptId"))
        }
        let end = status.waitEnd(request.wait, restores: request.restores ?? false, from: context.now)
        guard let end else { return .reply(status.verdict) }
        return .wait(on: request.receiptId.rawValue, until: end, otherwise: status.verdict)
    }
}
