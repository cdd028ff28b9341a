import ArgumentParser
import Glibc
import LoadVerdict
import TestKit

/// `counterfoil-bench recovery`: how soon purchases are granted again after a process was killed.
struct Recovery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery",
        abstract: "Kills each service in turn under load and measures the time until the next grant.",
        discussion: """
            Counted from the kill to the first answer that says granted for a proof submitted after it: \
            what had passed the killed service before would be granted anyway.
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

    private static let warmUpMilliseconds = 3_000

    func run() async throws {
        let result = try await TestGroup.use(replicas: replicas, partitions: 4) { group in
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
        try report(result)
        if result.lost + result.twice > 0 { throw ExitCode(1) }
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
