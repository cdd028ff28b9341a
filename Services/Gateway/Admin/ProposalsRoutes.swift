import Contracts
import Domain
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
            gateway.adminRoute(.post, "/proposals/{proposalId}/reverse", for: .approve, reverse),
        ]
    }

    @Sendable private func confirm(_ request: AdminRequest) async throws -> Response {
        let id = try request.proposal()
        try await request.count("confirm \(id)", gateway.partitions)
        switch id.kind {
        case .compensation:
            let decision = CompensationDecideV1(proposalId: id, decision: .confirm, operatorId: request.by.id)
            return .json(bytes: try await gateway.partitions.forward(decision))
        case .move:
            let confirmation = ReassignmentConfirmV1(proposalId: id, operatorId: request.by.id)
            return .json(bytes: try await gateway.partitions.forward(confirmation))
        }
    }

    @Sendable private func reverse(_ request: AdminRequest) async throws -> Response {
        let id = try request.proposal()
        let reason = try request.reason(try await request.body(ReverseBody.self).reason)
        guard id.kind == .compensation else {
            throw Problem.unacceptable("proposalId", "is a move: propose the move back instead")
        }
        let decision = CompensationDecideV1(
            proposalId: id,
            decision: .reverse,
            reason: reason,
            operatorId: request.by.id
        )
        return .json(bytes: try await gateway.partitions.forward(decision))
    }
}
