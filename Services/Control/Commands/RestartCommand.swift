import ArgumentParser
import Program

/// `counterfoil restart`: ends the replicas of a program one by one and starts them again.
struct RestartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Restarts a service, one replica after the other; returns when all are well."
    )

    @OptionGroup var option: HomeOption

    @Argument(help: "orders, receipts, entitlements, notifications or gateway.")
    var service: GroupProgram

    func run() throws {
        guard let reply = try GroupClient(home: option.home).ask(.restart(program: service)) else {
            let command = "systemctl restart 'counterfoil-\(service.rawValue)@*'"
            throw CommandFailure.notRunning(option.home, systemd: command)
        }
        try reply.throwProblem()
        print(reply.list(of: service))
    }
}
