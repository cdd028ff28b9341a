import Contracts
import Domain
import FoundationEssentials
import Hummingbird
import Program

/// `/v1/admin/proposals/{proposalId}`: another operator confirms what one has proposed, or takes it back.
struct ProposalsRoutes: Sendable {
    private struct ReverseBody: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case reason }

        let reason: String
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.adminRoute(.post, "/proposals/{proposalId}/confirm", for: .approve, confirm),
            gateway.adminRoute(.post, "/proposals/{proposalId}/reverse", for: .support, reverse),
        ]
    }

    @Sendable private func confirm(_ request: AdminRequest) async throws -> Response {
        let id = try request.proposal()
        switch id.kind {
        case .compensation:
            let decision = CompensationDecideV1(proposalId: id, decision: .confirm, operatorId: request.by.id)
            var look = decision
            look.isDryRun = true
            let known = try await gateway.partitions.ask(look)
            let reservation = AppleOrderReservation(for: known, by: request.by.id, in: gateway)
            let answer = try await confirmed(id, decision, request, holding: reservation) { $0.confirmedBy }
            return try .json(answer)
        case .move:
            let confirmation = ReassignmentConfirmV1(proposalId: id, operatorId: request.by.id)
            return try .json(try await confirmed(id, confirmation, request) { $0.confirmedBy })
        }
    }

    /// Counts for whoever has confirmed it, and for nobody who confirms it once more.
    private func confirmed<Question: RequestContract & Routed>(
        _ id: ProposalID,
        _ question: Question,
        _ request: AdminRequest,
        holding reservation: AppleOrderReservation? = nil,
        by confirmer: (Question.Reply) -> OperatorID?
    ) async throws(Problem) -> Question.Reply {
        try await request.counted(
            "confirm \(id)",
            of: id,
            gateway.partitions,
            holding: reservation
        ) { () async throws(Problem) in
            let answer = try await gateway.partitions.ask(question)
            return (answer, confirmer(answer) == request.by.id)
        }
    }

    @Sendable private func reverse(_ request: AdminRequest) async throws -> Response {
        let id = try request.proposal()
        let reason = try request.reason(try await request.body(ReverseBody.self).reason)
        do throws(Problem) {
            return .json(bytes: try await reversed(id, reason, request.by))
        } catch {
            // Where its proposal is, it is known whose it is.
            throw error.code == RequestRefusal.othersProposal.reason ? .othersProposal : error
        }
    }

    /// Whoever may not approve takes back their own proposal alone, until it is confirmed.
    private func reversed(
        _ id: ProposalID,
        _ reason: String,
        _ acting: Operator
    ) async throws(Problem) -> Data {
        let onlyOwn: Bool? = acting.role >= .approve ? nil : true
        switch id.kind {
        case .compensation:
            let decision = CompensationDecideV1(
                proposalId: id,
                decision: .reverse,
                reason: reason,
                operatorId: acting.id,
                onlyOwn: onlyOwn
            )
            return try await gateway.partitions.forward(decision)
        case .move:
            let withdrawal = ReassignmentWithdrawV1(
                proposalId: id,
                reason: reason,
                operatorId: acting.id,
                onlyOwn: onlyOwn
            )
            return try await gateway.partitions.forward(withdrawal)
        }
    }
}
