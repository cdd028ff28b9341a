import ArgumentParser
import Program

struct DownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Shuts the group down gracefully and returns when it has ended."
    )

    @OptionGroup var option: HomeOption
    @OptionGroup var deadline: DeadlineOption

    func run() throws {
        let up = RunningGroup(home: option.home, systemd: "systemctl stop counterfoil.target")
        _ = try up.carryOut(.down, "the end of the group", within: deadline.milliseconds)
        print("the group in \(option.home.root) has ended")
    }
}
