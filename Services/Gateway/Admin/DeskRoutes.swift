import Contracts
import Domain
import Hummingbird
import Program

/// `/v1/admin/find` and `/v1/admin/lists`: all that is known of a purchase, and what waits for somebody.
struct DeskRoutes: Sendable {
    /// Bytes of what is searched for.
    static let textBytes = 1...256
    /// Rows of a page unless the request sets a limit.
    static let standardLimit = 50

    private struct Finding: Encodable {
        let query: String
        let sentence: String
        let purchases: [DeskFinding.Purchase]
        /// The partitions that did not answer: it may be incomplete.
        let missed: [String]
        /// Whether more is known than this.
        let isCut: Bool
    }

    private struct Listing: Encodable {
        let rows: [DeskListing]
        /// The `after` of the next page.
        let next: String?
        let missed: [String]
    }

    let gateway: GatewayContext

    var routes: [Route] {
        [
            gateway.adminRoute(.get, "/find", for: .read, find),
            gateway.adminRoute(.get, "/lists/{name}", for: .read, list),
        ]
    }

    private var asker: PartitionAsker { PartitionAsker(partitions: gateway.partitions) }

    private func find(_ request: AdminRequest) async throws -> Response {
        guard let text = try request.query("q"), text.isPrintable(bytes: Self.textBytes) else {
            throw Problem.unacceptable("q", "must be 1 to \(Self.textBytes.upperBound) bytes in one line")
        }
        let language = try Self.language(request)
        let search = DeskSearch(asker, of: gateway.configuration.apps.map(\.bundleId))
        let asks = try asksApple(request) || DeskSearch<PartitionAsker>.isAppleOrder(text)
        // Who may only look spends no questions to Apple.
        let found = await search.find(text, asksApple: asks && request.by.role >= .support)
        guard !found.facts.isEmpty || found.missed.isEmpty else { throw Problem.unanswered }
        let finding = DeskFinding(found.facts, of: text, in: language, now: gateway.now())
        let missed = found.missed.sorted().map(\.description)
        return try .json(
            Finding(
                query: text,
                sentence: finding.sentence,
                purchases: finding.purchases,
                missed: missed,
                isCut: found.isCut
            )
        )
    }

    /// Whether Apple is to be asked about its order number, however it is written.
    private func asksApple(_ request: AdminRequest) throws(Problem) -> Bool {
        switch try request.query("apple") {
        case nil, "false": return false
        case "true":
            guard request.by.role >= .support else { throw .roleNeeded(.support) }
            return true
        case _: throw .unacceptable("apple", "must be true or false")
        }
    }

    private func list(_ request: AdminRequest) async throws -> Response {
        guard let list = DeskList(rawValue: try request.path("name")) else {
            let names = DeskList.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.notFound("There are the lists \(names).", field: "name")
        }
        let (language, now) = (try Self.language(request), gateway.now())
        let after = try request.query("after")
        let place = after.flatMap(DeskPage.Place.init(cursor:))
        guard after == nil || place != nil else {
            throw Problem.unacceptable("after", "must be the `next` of a page")
        }
        let question = DeskListV1(
            list: list,
            before: try Self.age(request).map { now.advanced(by: -$0) },
            after: place,
            limit: try request.query("limit", default: Self.standardLimit, in: DeskListV1.limits)
        )
        let names = list == .proposals ? try gateway.operators.names() : [:]
        let listed = await DeskLists(asker).page(question)
        return try .json(
            Listing(
                rows: listed.rows.map { DeskListing($0, in: language, now: now, operators: names) },
                next: listed.next?.cursor,
                missed: listed.missed.sorted().map(\.description)
            )
        )
    }

    /// Those that have waited as long, ms; nil when the request says nothing.
    private static func age(_ request: AdminRequest) throws(Problem) -> Int64? {
        guard let text = try request.query("olderThan") else { return nil }
        guard let age = DeskAge.milliseconds(text) else { throw .unacceptable("olderThan", DeskAge.rule) }
        return age
    }

    private static func language(_ request: AdminRequest) throws(Problem) -> DeskLanguage {
        guard let text = try request.query("language") else { return .english }
        guard let language = DeskLanguage(rawValue: text) else {
            throw .unacceptable("language", "must be en or zh")
        }
        return language
    }
}
