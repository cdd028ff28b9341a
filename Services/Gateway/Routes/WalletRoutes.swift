import Contracts
import Domain
import FoundationEssentials
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

        /// What is asked for; 422 if a member is not as it must be.
        func movement(
            _ kind: WalletMoveV1.Kind,
            of buyer: BuyerID,
            in app: Configuration.App,
            key: String
        ) throws(Problem) -> WalletMoveV1 {
            let environment = try Field.environment(self.environment, of: app)
            let entitlement = try Field.printable(
                self.entitlement,
                "entitlement",
                bytes: Limits.referenceBytes
            )
            let (amount, amounts) = (Int64(self.amount.value), Limits.walletAmounts)
            guard amounts.contains(amount) else {
                throw .unacceptable("amount", "must be from \(amounts.lowerBound) to \(amounts.upperBound)")
            }
            return WalletMoveV1(
                bundleId: app.bundleId,
                buyerId: buyer,
                environment: environment,
                kind: kind,
                entitlement: entitlement,
                amount: amount,
                idempotencyKey: key,
                reason: try reason.map { text throws(Problem) in
                    try Field.printable(text, "reason", bytes: Limits.referenceBytes)
                },
                metadata: try metadata.map(Field.metadata)
            )
        }
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.appRoute(.post, "/v1/buyers/{buyerId}/spend") { try await move(.spend, $0) },
            gateway.appRoute(.post, "/v1/buyers/{buyerId}/credit") { try await move(.credit, $0) },
            gateway.appRoute(.post, "/v1/buyers/{buyerId}/spends/{entryId}/reverse", reverse),
        ]
    }

    private func move(_ kind: WalletMoveV1.Kind, _ request: AppRequest) async throws -> Response {
        let (buyer, key) = (try request.buyer(), try request.idempotencyKey())
        return try await request.withBody(upTo: .small) { bytes in
            let body = try JSONBody.decode(Body.self, from: bytes)
            let movement = try body.movement(kind, of: buyer, in: request.app, key: key)
            return .json(bytes: try await gateway.partitions.forward(movement), status: .created)
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
