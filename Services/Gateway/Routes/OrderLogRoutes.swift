import Contracts
import Hummingbird
import Program

/// `/v1/orders/{orderId}/log`: what a phone did for an order, for support.
struct OrderLogRoutes: Sendable {
    private struct Entry: Decodable {
        let at: WholeNumber
        let step: String
        let code: String?
        let domain: String?
    }

    let gateway: GatewayContext

    var routes: [Route] { [gateway.appRoute(.post, "/v1/orders/{orderId}/log", for: .phones, log)] }

    /// It decides nothing, so that beyond a few in flight it gives way to what does.
    @Sendable private func log(_ request: AppRequest) async throws -> Response {
        try await gateway.loadShedder.stepLogs.run {
            let order = try request.orderID()
            let entries = try await request.withBody(upTo: .small) {
                try JSONBody.decodeList(Entry.self, from: $0)
            }
            let log = OrderLogV1(
                bundleId: request.app.bundleId,
                orderId: order,
                entries: try entries.map { try Self.entry($0) },
                buyerId: request.caller.onlyBuyer
            )
            return .json(bytes: try await gateway.partitions.forward(log), status: .ok)
        }
    }

    /// Orders checks the limits.
    private static func entry(_ entry: Entry) throws(Problem) -> StepLogEntry {
        StepLogEntry(
            at: Timestamp(milliseconds: Int64(entry.at.value)),
            step: try Field.word(entry.step, "step"),
            code: entry.code,
            domain: entry.domain
        )
    }
}
