import Contracts
import HTTPTypes
import Program
import TestKit
import Testing

@testable import Gateway

@Suite struct `A move that is asked for again` {
    /// A purchase that its buyer has by now; `known`: by a proposal of this request.
    private static func gateway(known: Bool) -> TestGateway {
        TestGateway { request, partition throws(Problem) in
            switch request {
            case let look as ClaimReassignV1:
                guard partition.partition == 2 else { throw Problem.notFound("not here") }
                return ReassignmentV1(
                    bundleId: TestGateway.bundle,
                    purchaseId: look.purchaseId,
                    productId: ProductID(unchecked: "coins.100"),
                    holderId: TestGateway.buyer,
                    orderId: nil,
                    heldBy: nil,
                    appAccountToken: nil,
                    parked: [],
                    buyerId: TestGateway.buyer,
                    effect: .nothing
                )
            case let propose as ReassignmentProposeV1:
                guard known else {
                    throw Problem(RequestRefusal(.conflict, "", field: "purchaseId", reason: "notHeld"))
                }
                return ReassignmentProposalV1(
                    proposalId: propose.proposalId,
                    bundleId: propose.bundleId,
                    environment: propose.environment,
                    purchaseId: propose.purchaseId,
                    productId: ProductID(unchecked: "coins.100"),
                    quantity: 1,
                    holderId: BuyerID(unchecked: "somebody"),
                    buyerId: propose.buyerId,
                    reason: propose.reason,
                    proposedBy: propose.operatorId,
                    proposedAt: Timestamp(milliseconds: 1),
                    confirmedBy: OperatorID(unchecked: "oba9876543210"),
                    confirmedAt: Timestamp(milliseconds: 2)
                )
            case is OperatorCountV1: return OperatorCount(day: 1, count: 1, isNew: true)
            default: return nil
            }
        }
    }

    @Test(arguments: [(true, 201), (false, 200)])
    func `is answered with its proposal, which was confirmed meanwhile, if there is one`(
        known: Bool,
        status: Int
    ) async throws {
        let gateway = Self.gateway(known: known)
        let body = #"{"purchaseId":"7","buyerId":"b1","bundleId":"com.example.game","reason":"ticket 4711"}"#
        let response = try await gateway.act(.support, .post, "/reassignments", body)
        #expect(response.status == status, "\(response.text)")
        #expect(response.text.contains("confirmedBy") == known)
        #expect(gateway.caller.requests(OperatorCountV1.self).isEmpty, "a repetition does not count")
    }
}
