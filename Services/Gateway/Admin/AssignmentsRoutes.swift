import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/admin/assignments`: an orphan, a purchase that nobody holds, goes to a buyer.
struct AssignmentsRoutes: Sendable {
    private struct Body: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable {
            case transactionId, buyerId, bundleId, environment, reason
        }

        let transactionId: String
        let buyerId: String
        let bundleId: String?
        let environment: String?
        let reason: String
    }

    let gateway: GatewayContext

    var routes: [Route] { [gateway.adminRoute(.post, "/assignments", for: .support, assign)] }

    @Sendable private func assign(_ request: AdminRequest) async throws -> Response {
        let body = try await request.body(Body.self)
        var question = ClaimReassignV1(
            purchaseId: try Field.identifier(body.transactionId, "transactionId", "the id of a transaction"),
            bundleId: try request.app(ofPurchase: body.bundleId, in: gateway.configuration),
            environment: try request.environment(ofPurchase: body.environment),
            buyerId: try request.buyer(body.buyerId),
            reason: try request.reason(body.reason),
            decidedBy: request.by.id,
            isDryRun: true,
            onlyOrphan: true
        )
        let found = try await PurchaseLook(gateway: gateway).find(question, namedIn: "transactionId")
        question.isDryRun = false
        let assignment = Assignment(
            gateway: gateway,
            question: question,
            found: found,
            field: "transactionId"
        )
        return try .json(try await assignment.decide())
    }
}
