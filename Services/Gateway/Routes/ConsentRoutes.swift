import Contracts
import Hummingbird
import Program

/// `/v1/buyers/{buyerId}/consent`: what a buyer agrees to.
struct ConsentRoutes: Sendable {
    private struct Body: ExactBody {
        enum CodingKeys: CodingKey, CaseIterable { case consumption }

        let consumption: Bool
    }

    let gateway: GatewayContext

    var routes: [Route] { [gateway.appRoute(.put, "/v1/buyers/{buyerId}/consent", set)] }

    /// Repeats are harmless: the last word holds.
    @Sendable private func set(_ request: AppRequest) async throws -> Response {
        let buyer = try request.buyer()
        return try await request.withBody(upTo: .small) { bytes in
            let set = ConsentSetV1(
                bundleId: request.app.bundleId,
                buyerId: buyer,
                consumption: try JSONBody.decode(Body.self, from: bytes).consumption
            )
            return .json(bytes: try await gateway.partitions.forward(set))
        }
    }
}
