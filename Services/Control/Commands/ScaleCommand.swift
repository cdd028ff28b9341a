import ArgumentParser
import Program

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

    mutating func validate() throws { try ScalePlan.replicas.check(replicas, as: "replicas") }

    func run() throws {
        let home = option.home
        let unit = "counterfoil-\(service.rawValue)@"
        let advice = "systemctl start \(unit)\(replicas - 1) (or stop \(unit)\(replicas))"
        let up = RunningGroup(home: home, systemd: advice)
        _ = try up.status()
        let checked = try ConfigurationCheck(home: home, launcher: .standard(home)).run()
        let request = SupervisorRequest.scale(program: service, replicas: replicas)
        let reply = try up.carryOut(request, "scaling", within: deadline.milliseconds)
        if reply.configuration != checked.version { Terminal.warn(StatusReport.changedConfiguration) }
        print(reply.list(of: service))
    }
}
