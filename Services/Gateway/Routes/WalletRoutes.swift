import Contracts
import Domain
import Foundation
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

    /// A body whose members are as they must be.
    private struct Movement {
        let environment: Contracts.Environment
        let entitlement: String
        let amount: Int64
        let reason: String?
        let metadata: [String: JSONValue]?

        init(_ body: Body, of app: Configuration.App) throws(Problem) {
            environment = try Field.environment(body.environment, of: app)
            entitlement = try Field.printable(body.entitlement, "entitlement", bytes: Limits.referenceBytes)
            amount = Int64(body.amount.value)
            let amounts = Limits.walletAmounts
            guard amounts.contains(amount) else {
                throw .unacceptable("amount", "must be from \(amounts.lowerBound) to \(amounts.upperBound)")
            }
            if let text = body.reason {
                reason = try Field.printable(text, "reason", bytes: Limits.referenceBytes)
            } else {
                reason = nil
            }
            metadata = try body.metadata.map(Field.metadata)
        }
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.appRoute(.post, "/v1/buyers/{buyerId}/spend", spend),
            gateway.appRoute(.post, "/v1/buyers/{buyerId}/credit", credit),
            gateway.appRoute(.post, "/v1/buyers/{buyerId}/spends/{entryId}/reverse", reverse),
        ]
    }

    @Sendable private func spend(_ request: AppRequest) async throws -> Response {
        let (buyer, key) = (try request.buyer(), try request.idempotencyKey())
        return try await request.withBody(upTo: .small) { bytes in
            let movement = try Movement(try JSONBody.decode(Body.self, from: bytes), of: request.app)
            let spend = WalletSpendV1(
                bundleId: request.app.bundleId,
                buyerId: buyer,
                environment: movement.environment,
                entitlement: movement.entitlement,
                amount: movement.amount,
                idempotencyKey: key,
                reason: movement.reason,
                metadata: movement.metadata
            )
            return .json(bytes: try await gateway.partitions.forward(spend), status: .created)
        }
    }

    @Sendable private func credit(_ request: AppRequest) async throws -> Response {
        let (buyer, key) = (try request.buyer(), try request.idempotencyKey())
        return try await request.withBody(upTo: .small) { bytes in
            let movement = try Movement(try JSONBody.decode(Body.self, from: bytes), of: request.app)
            let credit = WalletCreditV1(
                bundleId: request.app.bundleId,
                buyerId: buyer,
                environment: movement.environment,
                entitlement: movement.entitlement,
                amount: movement.amount,
                idempotencyKey: key,
                reason: movement.reason,
                metadata: movement.metadata
            )
            return .json(bytes: try await gateway.partitions.forward(credit), status: .created)
        }
    }

    @Sendable private func reverse(_ request: AppRequest) async throws -> Response {
        let (buyer, key) = (try request.buyer(), try request.idempotencyKey())
        let entry = try request.path("entryId")
        guard DerivedID.isOne(entry) else {
            throw Problem.notFound("The buyer has no spend with this id.", field: "entryId")
        }
        let reverse = SpendReverseV1(
            bundleId: request.app.bundleId,
            buyerId: buyer,
            entryId: entry,
            idempotencyKey: key
        )
        return .json(bytes: try await gateway.partitions.forward(reverse), status: .created)
    }
}
