import ArgumentParser
import Program

/// `counterfoil scale`: changes how many replicas of a program run.
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Runs a service in so many replicas; returns when they are well."
    )

    @OptionGroup var option: HomeOption

    @OptionGroup var deadline: DeadlineOption

    @Argument(help: "orders, receipts, entitlements, notifications or gateway.")
    var service: GroupProgram

    @Argument(help: "How many replicas.")
    var replicas: Int

    mutating func validate() throws {
        guard (1...ScalePlan.maximumReplicas).contains(replicas) else {
            throw ValidationError("replicas must be from 1 to \(ScalePlan.maximumReplicas).")
        }
    }

    func run() throws {
        let home = option.home
        let client = GroupClient(home: home)
        guard try client.ask(.status) != nil else { throw notRunning }
        let checked = try ConfigurationCheck(home: home, launcher: .standard(home)).run()
        let request = GroupRequest.scale(program: service, replicas: replicas)
        guard let reply = try client.ask(request, for: "scaling", within: deadline.milliseconds) else {
            throw notRunning
        }
        try reply.throwProblem()
        if reply.configuration != checked.version {
            Terminal.warn(
                "the configuration was changed since the group read it; `counterfoil restart` takes it up"
            )
        }
        print(reply.list(of: service))
    }
}

extension ScaleCommand {
    private var notRunning: CommandFailure {
        let unit = "counterfoil-\(service.rawValue)@"
        let start = "systemctl start \(unit)\(replicas - 1)"
        return .notRunning(option.home, systemd: "\(start) (or stop \(unit)\(replicas))")
    }
}

extension GroupReply {
    /// Turns a refusal of `up` into the command's failure.
    ///
    /// - Throws: `CommandFailure`.
    func throwProblem() throws {
        if let problem { throw CommandFailure(description: problem, exitCode: code ?? Launch.failureCode) }
    }

    /// The replicas of one program in one line.
    func list(of program: GroupProgram) -> String {
        let replicas = replicas.filter { $0.program == program }
        let list = replicas.map {
            "\(program.rawValue).\($0.replica) (pid \($0.pid.map(String.init) ?? "-"))"
        }
        return list.isEmpty ? "the group has ended" : list.joined(separator: ", ")
    }
}
