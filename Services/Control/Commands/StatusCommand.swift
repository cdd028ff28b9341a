import ArgumentParser
import Contracts
import Program

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows which replicas run and how every partition is; exit code 3 when nothing runs."
    )

    @OptionGroup var option: HomeOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let home = option.home
        let group = try SupervisorClient(home: home).ask(.status)
        let answers = try await PartitionInquiry.askAll(PartitionStatusV1(), in: home)
        var report = StatusReport(
            answers: answers,
            replicas: group?.replicas,
            isTestHome: home.isTest,
            log: log(of: home, answers.addresses)
        )
        report.configurationChanged = hasChanged(home, since: report.configurations) ? true : nil
        let isStopped = group == nil && report.isSilent
        if json {
            try Terminal.printJSON(report)
        } else if !isStopped {
            if let url = group?.gateway { print("gateway at \(url)") }
            if group == nil { print("no `counterfoil up` runs in \(home.root)") }
            print(report.text)
        }
        if isStopped {
            let problem =
                "nothing runs in \(home.root): there is no `counterfoil up`, and no partition answers"
            throw CommandFailure(description: problem, exitCode: CommandFailure.notRunningCode)
        }
        try answers.missed.check("the status")
    }

    /// Asked after the partitions, so that no head is older than what its owner knows.
    private func log(of home: Home, _ partitions: [PartitionAddress]) -> LogReport? {
        let configuration: Configuration
        do {
            configuration = try Configuration(writtenIn: home)
        } catch {
            return nil  // the warning is of it
        }
        guard let store = configuration.store else { return nil }
        do throws(ConfigurationError) {
            return LogReport(try GroupLog(store, of: home).sight(of: partitions, and: configuration.wire))
        } catch {
            return LogReport(problem: error.problem)
        }
    }

    /// Whether a restart would use another configuration; warns when the files cannot be used.
    private func hasChanged(_ home: Home, since running: Set<String>) -> Bool {
        guard !running.isEmpty else { return false }
        do {
            return running != [try ConfigurationSnapshot(of: home).version]
        } catch {
            Terminal.warn("the configuration was changed, and a restart would be refused: \(error)")
            return false
        }
    }
}
