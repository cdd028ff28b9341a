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

    private struct Answer: Encodable {
        let acts: [Row]
        /// The `after` of the next page.
        let next: String?
        let missed: [PartitionAddress]
    }

    let gateway: GatewayContext

    var routes: [Route] { [gateway.adminRoute(.get, "/acts", for: .read, list)] }

    /// Every partition has a record of its own; a page has the newest of them all.
    @Sendable private func list(_ request: AdminRequest) async throws -> Response {
        let limit = try request.query("limit", default: Self.standardLimit, in: Self.limits)
        let after = try request.query("after")
        guard let place = after.map(ActsPage.Place.init(cursor:)) ?? ActsPage.Place() else {
            throw Problem.unacceptable("after", "must be the `next` of a page")
        }
        let (about, names) = (try about(request), try gateway.operators.names())
        let answers = await answers(after: place, about, limit)
        let missed = answers.filter { $0.value == nil }.keys.sorted()
        guard missed.count < answers.count else { throw Problem.unanswered }
        let known = answers.compactMapValues(\.self)
        let page = ActsPage(known, after: place, limit: limit, isMissing: !missed.isEmpty)
        let rows = page.rows.map { at, act in
            Row(at: at, act: act, name: act.operatorId.flatMap { names[$0.rawValue] })
        }
        return try .json(Answer(acts: rows, next: page.next?.cursor, missed: missed))
    }

    /// What each partition answers; nil of one that does not.
    private func answers(
        after place: ActsPage.Place,
        _ about: String?,
        _ limit: Int
    ) async -> [PartitionAddress: [Act]?] {
        let asker = PartitionAsker(partitions: gateway.partitions)
        return await withTaskGroup(of: (PartitionAddress, [Act]?).self) { group in
            for address in gateway.partitions.all {
                group.addTask {
                    let question = ActsListV1(before: place.shown[address], about: about, limit: limit)
                    return (address, await asker.answer(to: question, of: address))
                }
            }
            return await group.reduce(into: [:]) { $0.updateValue($1.1, forKey: $1.0) }
        }
    }

    /// A subject, an operator or a pseudonym; a buyer is asked for by the pseudonym that records have.
    private func about(_ request: AdminRequest) throws -> String? {
        guard let text = try request.query("buyer") else { return try request.query("about") }
        let app = try request.app(try request.query("bundleId"), in: gateway.configuration)
        return Pseudonym.of(try request.buyer(text), in: app.bundleId)
    }
}
