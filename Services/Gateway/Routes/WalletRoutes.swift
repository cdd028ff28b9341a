import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/buyers/{buyerId}/spend`, `credit` and `spends`: what a buyer uses and earns.
struct WalletRoutes: Sendable {
    private struct Body: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case environment, entitlement, amount, reason, metadata }

        let environment: String?
        let entitlement: String
        let amount: WholeNumber
        let reason: String?
        let metadata: [String: JSONValue]?
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.forward(.post, "/v1/buyers/{buyerId}/spend", status: .created) {
                try await move(.spend, $0)
            },
            gateway.forward(.post, "/v1/buyers/{buyerId}/credit", status: .created) {
                try await move(.credit, $0)
            },
            gateway.forward(.post, "/v1/buyers/{buyerId}/spends/{entryId}/reverse", status: .created) {
                try reverse($0)
            },
        ]
    }

    private func move(_ kind: WalletMoveV1.Kind, _ request: AppRequest) async throws -> WalletMoveV1 {
        let (buyer, key) = (try request.buyer(), try request.idempotencyKey())
        let body = try await request.body(Body.self)
        let environment = try Field.environment(body.environment, of: request.app)
        let entitlement = try Field.printable(body.entitlement, "entitlement", bytes: Limits.referenceBytes)
        let (amount, amounts) = (Int64(body.amount.value), Limits.walletAmounts)
        guard amounts.contains(amount) else {
            let rule = "must be from \(amounts.lowerBound) to \(amounts.upperBound)"
            throw Problem.unacceptable("amount", rule)
        }
        return WalletMoveV1(
            bundleId: request.app.bundleId,
            buyerId: buyer,
            environment: environment,
            kind: kind,
            entitlement: entitlement,
            amount: amount,
            idempotencyKey: key,
            reason: try body.reason.map { try Field.printable($0, "reason", bytes: Limits.referenceBytes) },
            metadata: try body.metadata.map(Field.metadata)
        )
    }

    private func reverse(_ request: AppRequest) throws -> SpendReverseV1 {
        let (buyer, key) = (try request.buyer(), try request.idempotencyKey())
        let entry = try request.path("entryId")
        guard DerivedID.isOne(entry) else {
            throw Problem.notFound("The buyer has no spend with this id.", field: "entryId")
        }
        return SpendReverseV1(
            bundleId: request.app.bundleId,
            buyerId: buyer,
            entryId: entry,
            idempotencyKey: key
        )
    }
}
