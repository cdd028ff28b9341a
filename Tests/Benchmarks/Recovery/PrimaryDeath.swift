import LoadVerdict
import TestKit

/// The end of PostgreSQL's primary under load, and what follows.
struct PrimaryDeath {
    struct Result: Encodable {
        /// From the primary's end to the first commit that the new one acknowledged, ms.
        let acknowledgedMs: Double
        /// From that commit to the first answer that says granted for a proof submitted after the primary's end, ms;
        /// less than 0 if the group's own first commit was acknowledged before.
        let nextGrantMs: Double
        let lost: Int
        let twice: Int
    }

    /// Purchases a second meanwhile.
    let rate: Double
    let replicas: Int
    /// For how long there is no primary.
    let pause: Duration

    private static let warmUp = Duration.seconds(3)
    /// After the pause: for the promotion, for a standby that follows the new primary, and for the next grant.
    private static let rest = Duration.seconds(15)

    func measure() async throws -> Result {
        try await PostgreSQLServers.use(standbys: 2) { servers in
            try await TestGroup.use(replicas: replicas, partitions: 4, store: servers.url) { group in
                let journal = group.home.folder + "/journal"
                let load = Load(group: group, rate: rate, journal: journal)
                var promotions: [PostgreSQLServers.Promotion] = []
                let verdict = try await load.run(seconds: (Self.warmUp + pause + Self.rest) / .seconds(1)) {
                    try await Task.sleep(for: Self.warmUp)
                    promotions.append(try await servers.promote(after: pause))
                }
                return try Self.evaluate(promotions[0], Grant.all(in: journal), verdict)
            }
        }
    }

    private static func evaluate(
        _ promotion: PostgreSQLServers.Promotion,
        _ grants: [Grant],
        _ verdict: LoadReport
    ) throws -> Result {
        // Nothing that was submitted after the end could be granted without the new primary.
        guard let next = grants.filter({ $0.sentAt >= promotion.endedAt }).map(\.at).min() else {
            throw HarnessFault("nothing was granted after a standby was promoted")
        }
        return Result(
            acknowledgedMs: Double(promotion.acknowledgedAt - promotion.endedAt) / 1_000,
            nextGrantMs: Double(next - promotion.acknowledgedAt) / 1_000,
            lost: verdict.lost,
            twice: verdict.twice
        )
    }
}
