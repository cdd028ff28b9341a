import ArgumentParser
import Program

/// `counterfoil restart`: ends the replicas of a program one by one and starts them again.
struct RestartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Restarts a service, or all, one replica after the other; returns when all are well.",
        discussion: """
            The configuration and the catalog are checked first; if they are of no use, nothing is touched. If they \
            were changed since the group read them, every program is restarted with the new ones, the gateway last, \
            so that all run with the same; should one of them not become well, all go back to what they had.
            """
    )

    @OptionGroup var option: HomeOption
    @OptionGroup var deadline: DeadlineOption

    @Argument(help: "orders, receipts, entitlements, notifications or gateway (default: all).")
    var service: GroupProgram?

    func run() throws {
        let home = option.home
        let client = GroupClient(home: home)
        guard let group = try client.ask(.status) else { throw notRunning }
        let checked = try ConfigurationCheck(home: home, launcher: .standard(home)).run()
        if let running = group.configuration, running != checked.version {
            Terminal.warn("the configuration was changed: all programs are restarted with \(checked.version)")
        }
        let request = GroupRequest.restart(program: service, version: checked.version)
        guard let reply = try client.ask(request, for: "the restart", within: deadline.milliseconds) else {
            throw notRunning
        }
        try reply.throwProblem()
        let isWhole = service == nil || group.configuration != checked.version
        let programs = isWhole ? GroupProgram.allCases : GroupProgram.allCases.filter { $0 == service }
        for program in programs { print(reply.list(of: program)) }
    }

    private var notRunning: CommandFailure {
        let unit = service.map { "counterfoil-\($0.rawValue)@*" } ?? "counterfoil-*"
        return .notRunning(option.home, systemd: "counterfoil check && systemctl restart '\(unit)'")
    }
}

/// How long a command waits.
struct DeadlineOption: ParsableArguments {
    @Option(name: .customLong("timeout"), help: "Seconds after which the command waits no longer.")
    var seconds = 120

    var milliseconds: Int64 { Int64(seconds) * 1_000 }

    mutating func validate() throws {
        guard (1...86_400).contains(seconds) else {
            throw ValidationError("--timeout must be from 1 to 86400.")
        }
    }
}
