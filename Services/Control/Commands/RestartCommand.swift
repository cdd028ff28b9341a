import ArgumentParser
import Program

struct RestartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Restarts a service, or all, one replica after the other; returns when all are well.",
        discussion: """
            The configuration is checked first; if it cannot be used, nothing is touched. If it was changed since \
            the group read it, every program is restarted with the new one, the gateway last, so that all run with \
            the same; should one of them not become well, all go back to what they had. A new catalog needs no \
            restart: see `counterfoil catalog load`.
            """
    )

    @OptionGroup var option: HomeOption
    @OptionGroup var deadline: DeadlineOption

    @Argument(help: "orders, receipts, entitlements, notifications or gateway (default: all).")
    var service: GroupProgram?

    func run() throws {
        let home = option.home
        let unit = service.map { "counterfoil-\($0.rawValue)@*" } ?? "counterfoil-*"
        let up = RunningGroup(home: home, systemd: "counterfoil check && systemctl restart '\(unit)'")
        let running = try up.status()
        let checked = try ConfigurationCheck(home: home, launcher: .standard(home)).run()
        let isChanged = running.configuration != checked.version
        if isChanged {
            Terminal.warn("the configuration was changed: all programs are restarted with \(checked.version)")
        }
        let request = SupervisorRequest.restart(program: service, version: checked.version)
        let reply = try up.carryOut(request, "the restart", within: deadline.milliseconds)
        for program in GroupProgram.allCases where isChanged || service == nil || service == program {
            print(reply.list(of: program))
        }
    }
}
