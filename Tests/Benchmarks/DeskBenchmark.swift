import ArgumentParser
import Contracts
import Database
import Delivery
import Foundation
import LoadVerdict
import NIOHTTP1
import Program
import TestKit

/// `counterfoil-bench desk`: how long an operator waits for a search and for the pages of the lists.
struct Desk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk",
        abstract: "Measures a search and the pages of the desk's lists with so many purchases in the stores.",
        discussion: """
            Some purchases are made and copied in the stores, under other ids and for other buyers, until there are as
            many as --purchases says. Of a share of them the stores are then told that they are orphans, held up,
            parked, not granted, and not delivered. Then everything is asked for over HTTP below /v1/admin, by
            operators: pages of each list, one after the other, and searches by order, reference, buyer, transaction and
            receipt. One partition has everything, so that none helps another. Exit code 1 if the slowest search takes
            over 200 ms, or the slowest page over 100 ms.
            """
    )

    struct Result: Encodable {
        let purchases: Int
        /// Rows of each list.
        let listed: Int
        let find: Latencies
        /// By the name of the list.
        let lists: [String: Latencies]
        let worstFindMs: Double
        let worstPageMs: Double
        // The conditions.
        let partitions = 1
        let rowsOfPage = Desk.rowsOfPage
        let processors = ProcessInfo.processInfo.activeProcessorCount
        /// How long it took to fill the stores.
        let fillSeconds: Double
    }

    fileprivate static let rowsOfPage = 50

    @Option(help: "Purchases in the stores, about.")
    var purchases = 1_000_000

    @Option(help: "Purchases that are made for the copies.")
    var originals = 22_000

    @Option(help: "One of so many purchases is in each list.")
    var share = 10

    @Option(help: "Requests of each kind.")
    var requests = 50

    func validate() throws {
        for (name, count) in [
            ("purchases", purchases), ("originals", originals), ("share", share), ("requests", requests),
        ] where count < 1 {
            throw ValidationError("--\(name) counts from 1.")
        }
    }

    func run() async throws {
        let result = try await TestHome.use(partitions: 1) { home in
            let journal = home.folder + "/journal"
            let made = try await TestGroup.use(home: home) { group in
                let load = Load(group: group, buyers: max(originals / 10, 2), journal: journal)
                let report = try await load.run(purchases: originals)
                try await group.down()
                return report.granted
            }
            let copies = max(0, (purchases + made - 1) / max(made, 1) - 1)
            let start = ContinuousClock.now
            try await StoreCopies(home: home, count: copies).make()
            let operatorKey = try DeskOperator.add(to: Home(root: home.root))
            let waiting = DeskWaiting(home: home, share: share)
            let samples = try waiting.samples(requests)
            let listed = try waiting.make()
            let fillSeconds = ((ContinuousClock.now - start) / .seconds(1)).rounded()
            return try await TestGroup.use(home: home) { group in
                let desk = try DeskClient(home: home, key: operatorKey)
                let (find, worstFind) = try await measureSearches(desk, samples)
                let (lists, worstPage) = try await measureLists(desk)
                try await group.down()
                return Result(
                    purchases: made * (copies + 1),
                    listed: listed,
                    find: find,
                    lists: lists,
                    worstFindMs: worstFind,
                    worstPageMs: worstPage,
                    fillSeconds: fillSeconds
                )
            }
        }
        try report(result)
        let failed = result.find.failed + result.lists.values.map(\.failed).reduce(0, +)
        if failed > 0 || result.worstFindMs > 200 || result.worstPageMs > 100 { throw ExitCode(1) }
    }

    private func measureSearches(_ desk: DeskClient, _ samples: [String]) async throws -> (Latencies, Double)
    {
        var latencies = Latencies()
        var worst = 0.0
        for (number, text) in ([samples.first ?? ""] + samples).enumerated() {
            let start = ContinuousClock.now
            // The first one warms what is read each time.
            guard number > 0 else {
                _ = try await desk.get("/v1/admin/find?q=\(text)")
                continue
            }
            await latencies.measure { try await desk.get("/v1/admin/find?q=\(text)").status }
            worst = max(worst, (ContinuousClock.now - start) / .milliseconds(1))
        }
        return (latencies, worst)
    }

    private struct Page: Decodable { let next: String? }

    private func measureLists(_ desk: DeskClient) async throws -> ([String: Latencies], Double) {
        var (all, worst): ([String: Latencies], Double) = ([:], 0)
        for list in DeskList.allCases {
            var (latencies, after): (Latencies, String?) = (Latencies(), nil)
            for _ in 0..<requests {
                let start = "/v1/admin/lists/\(list.rawValue)?limit=\(Self.rowsOfPage)"
                let path = start + (after.map { "&after=\($0)" } ?? "")
                let began = ContinuousClock.now
                var page: Page?
                await latencies.measure {
                    let reply = try await desk.get(path)
                    page = try JSONDecoder().decode(Page.self, from: Data(reply.text.utf8))
                    return reply.status
                }
                worst = max(worst, (ContinuousClock.now - began) / .milliseconds(1))
                after = page?.next
            }
            all[list.rawValue] = latencies
        }
        return (all, worst)
    }
}

/// Asks below `/v1/admin` as an operator.
private struct DeskClient {
    let connections: HTTPConnections
    let key: String

    init(home: TestHome, key: String) throws {
        connections = try HTTPConnections(to: home.operationsURL)
        self.key = key
    }

    func get(_ path: String) async throws -> HTTPReply {
        try await connections.send(.GET, path, headers: [("Authorization", "Bearer \(key)")])
    }
}
