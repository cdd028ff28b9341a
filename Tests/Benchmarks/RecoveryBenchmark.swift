import ArgumentParser
import Glibc
import LoadVerdict
import TestKit

/// `counterfoil-bench recovery`: how soon purchases are granted again after a process was killed, or the primary.
struct Recovery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery",
        abstract: "Kills each service in turn under load, or PostgreSQL's primary, and times the next grant.",
        discussion: """
            Counted from the kill to the first answer that says granted for a proof submitted after it: \
            what had passed the killed service before would be granted anyway. With --kill-primary the \
            primary of a PostgreSQL with two standbys ends as in a power cut, and one of them is promoted after \
            a pause: nextGrantMs counts from the first commit that it acknowledges.
            """
    )

    struct Result: Encodable {
        let kills: Int
        let p50ms: Double
        let p99ms: Double
        let longestMsOf: [String: Double]
        let lost: Int
        let twice: Int
    }

    /// A killed program, and when that was, in microseconds since 1970.
    private typealias Kill = (program: String, time: Int64)

    @Option(help: "How many kills.")
    var kills = 25

    @Option(help: "Purchases a second meanwhile.")
    var rate: Double = 200

    @Option(help: "Milliseconds between two kills.")
    var pause = 1_500

    @Option(help: "Replicas of each service.")
    var replicas = 1

    @Option(help: "What keeps commits: sqlite, or postgresql with a synchronous standby, which are started.")
    var store = StoreEngine.sqlite

    @Flag(help: "End PostgreSQL's primary once, rather than services; needs --store postgresql.")
    var killPrimary = false

    @Option(help: "With --kill-primary: seconds until a standby is promoted.")
    var promoteAfter: Double = 5

    private static let warmUpMilliseconds = 3_000

    func validate() throws {
        guard !killPrimary || store == .postgresql else {
            throw ValidationError("--kill-primary needs --store postgresql.")
        }
        guard promoteAfter >= 0, kills > 0, rate > 0 else {
            throw ValidationError("--promote-after counts from 0, --kills from 1, and --rate is more than 0.")
        }
    }

    func run() async throws {
        guard killPrimary else { return try await killServices() }
        let death = PrimaryDeath(rate: rate, replicas: replicas, pause: .seconds(promoteAfter))
        let result = try await death.measure()
        try report(result)
        if result.lost + result.twice > 0 { throw ExitCode(1) }
    }

    private func killServices() async throws {
        let result = try await store.use { url in try await measure(store: url) }
        try report(result)
        if result.lost + result.twice > 0 { throw ExitCode(1) }
    }

    private func measure(store: String?) async throws -> Result {
        try await TestGroup.use(replicas: replicas, partitions: 4, store: store) { group in
            let journal = group.home.folder + "/journal"
            let load = Load(group: group, rate: rate, journal: journal)
            var done: [Kill] = []
            let seconds = Double(kills * (pause + 100) + 2 * Self.warmUpMilliseconds) / 1_000
            let verdict = try await load.run(seconds: seconds) {
                try await Task.sleep(for: .milliseconds(Self.warmUpMilliseconds))
                for number in 0..<kills {
                    let program = Executables.group[number % Executables.group.count]
                    done.append(try await kill(program, of: group))
                }
            }
            return try evaluate(done, Grant.all(in: journal), verdict)
        }
    }

    private func kill(_ program: String, of group: TestGroup) async throws -> Kill {
        guard let pid = try await group.status().processes(of: program).randomElement() else {
            throw HarnessFault("\(program) does not run")
        }
        let time = WallClock.microseconds
        Glibc.kill(pid, SIGKILL)
        try await Task.sleep(for: .milliseconds(pause))
        return (program, time)
    }

    private func evaluate(_ kills: [Kill], _ grants: [Grant], _ verdict: LoadReport) throws -> Result {
        let durations = try kills.map { kill in
            let next = grants.filter { $0.sentAt >= kill.time }.map(\.at).min()
            guard let next else { throw HarnessFault("nothing was granted after \(kill.program) was killed") }
            return (kill.program, Double(next - kill.time) / 1_000)
        }
        let sorted = durations.map(\.1).sorted()
        return Result(
            kills: kills.count,
            p50ms: sorted.percentile(0.5),
            p99ms: sorted.percentile(0.99),
            longestMsOf: Dictionary(durations, uniquingKeysWith: max),
            lost: verdict.lost,
            twice: verdict.twice
        )
    }
}
