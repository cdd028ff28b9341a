import Contracts
import Domain
import HTTPTypes
import Hummingbird
import Program

/// `/v1/admin/reassignments`: a purchase goes from its holder to another buyer.
///
/// | what moves  | the answer                                     |
/// |-------------|------------------------------------------------|
/// | amounts     | a proposal, which another operator confirms    |
/// | access only | it moves at once                               |
/// | nothing     | what is so already                             |
/// | of nobody's | it goes to the buyer as by an `Assignment`     |
struct ReassignmentsRoutes: Sendable {
    private struct Body: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable {
            case purchaseId, buyerId, bundleId, environment, reason, dryRun
        }

        let purchaseId: String
        let buyerId: String?
        let bundleId: String?
        let environment: String?
        let reason: String
        let dryRun: Bool?
    }

    private struct Answer: Encodable {
        let decision: ReassignmentV1
        /// Nil where the decision needs no second person.
        let proposal: ReassignmentProposalV1?
    }

    let gateway: GatewayContext

    var routes: [Route] { [gateway.adminRoute(.post, "/reassignments", for: .support, reassign)] }

    @Sendable private func reassign(_ request: AdminRequest) async throws -> Response {
        let body = try await request.body(Body.self)
        var question = ClaimReassignV1(
            purchaseId: try Field.identifier(body.purchaseId, "purchaseId", "the id of a purchase"),
            bundleId: try request.app(ofPurchase: body.bundleId, in: gateway.configuration),
            environment: try request.environment(ofPurchase: body.environment),
            buyerId: try body.buyerId.map { text throws(Problem) in try request.buyer(text) },
            reason: try request.reason(body.reason),
            decidedBy: request.by.id,
            isDryRun: true
        )
        let looking = PurchaseLook(gateway: gateway)
        let found = try await looking.find(question, namedIn: "purchaseId")
        guard body.dryRun != true else { return try .json(Answer(decision: found.look, proposal: nil)) }
        if found.look.effect == .moves, try await looking.movesAmounts(found.look, in: question.environment) {
            return try await propose(question, found, request)
        }
        if let known = try await repeated(question, found, request) {
            return try .json(Answer(decision: found.look, proposal: known), status: .created)
        }
        question.isDryRun = false
        // What nobody held a moment ago goes to its buyer, and never from somebody who holds it now.
        question.onlyOrphan = found.look.effect == .proposed ? true : nil
        let assignment = Assignment(
            gateway: gateway,
            question: question,
            found: found,
            field: "purchaseId"
        )
        return try .json(Answer(decision: try await assignment.decide(), proposal: nil))
    }

    /// The proposal that this request has made before; once that is confirmed, nothing would move any more.
    private func repeated(
        _ question: ClaimReassignV1,
        _ found: PurchaseLook.Found,
        _ request: AdminRequest
    ) async throws(Problem) -> ReassignmentProposalV1? {
        switch found.look.effect {
        case .moves, .proposed: return nil
        case .underWay, .nothing: break
        }
        // What moves at once needs no key, and has made no proposal.
        guard let key = HTTPField.Name("Idempotency-Key"), request.request.headers[key] != nil else {
            return nil
        }
        let proposal = try proposal(question, found, request)
        do throws(Problem) {
            let subject = proposal.proposalId.rawValue
            return try await gateway.partitions.ask(proposal, of: found.at, subject: subject)
        } catch {
            // It was none: whoever has it already needs no proposal.
            guard error.code == "notHeld" || error.code == "undecided" else { throw error }
            return nil
        }
    }

    private func proposal(
        _ question: ClaimReassignV1,
        _ found: PurchaseLook.Found,
        _ request: AdminRequest
    ) throws(Problem) -> ReassignmentProposeV1 {
        // The id leads to the partition that keeps the claim.
        let shard = Shard(rawValue: UInt16(found.at.partition))
        return ReassignmentProposeV1(
            proposalId: try request.proposal(.move, at: shard),
            bundleId: found.look.bundleId,
            environment: question.environment,
            purchaseId: found.look.purchaseId,
            buyerId: found.look.buyerId,
            reason: question.reason,
            operatorId: request.by.id
        )
    }

    private func propose(
        _ question: ClaimReassignV1,
        _ found: PurchaseLook.Found,
        _ request: AdminRequest
    ) async throws -> Response {
        let proposal = try proposal(question, found, request)
        let id = proposal.proposalId
        let proposed = try await request.counted(id, gateway.partitions) { () async throws(Problem) in
            try await gateway.partitions.ask(proposal, of: found.at, subject: id.rawValue)
        }
        return try .json(Answer(decision: found.look, proposal: proposed), status: .created)
    }
}
