import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/admin/acts`: what operators have done, the newest first.
struct ActsRoutes: Sendable {
    private static let limits = 1...200
    private static let standardLimit = 50

    private struct Row: Encodable {
        let at: PartitionAddress
        let act: Act
        /// The operator's name; records have the id alone.
        let name: String?
    }

    let gateway: GatewayContext

    var routes: [Route] { [gateway.adminRoute(.get, "/acts", for: .read, list)] }

    /// Every partition has a record of its own; a page has the newest of them all.
    @Sendable private func list(_ request: AdminRequest) async throws -> Response {
        let limit = try request.query("limit", default: Self.standardLimit, in: Self.limits)
        let question = ActsListV1(about: try about(request), limit: limit)
        let names = try gateway.operators.names()
        let rows = try await withThrowingTaskGroup(of: [Row].self) { group in
            for address in gateway.partitions.all {
                group.addTask {
                    let partitions = gateway.partitions
                    let acts = try await partitions.ask(question, of: address, subject: address.description)
                    return acts.map { act in
                        Row(at: address, act: act, name: act.operatorId.flatMap { names[$0.rawValue] })
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let newest = rows.sorted { ($0.act.time, $0.at, $0.act.number) > ($1.act.time, $1.at, $1.act.number) }
        return try .json(["acts": Array(newest.prefix(limit))])
    }

    /// A subject, an operator or a pseudonym; a buyer is asked for by the pseudonym that records have.
    private func about(_ request: AdminRequest) throws -> String? {
        guard let text = try request.query("buyer") else { return try request.query("about") }
        let app = try request.app(try request.query("bundleId"), in: gateway.configuration)
        return Pseudonym.of(try Field.buyer(text), in: app.bundleId)
    }
}
