import ArgumentParser
import Program

/// `counterfoil down`: ends the group.
struct DownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Ends the group politely and returns when it has ended."
    )

    @OptionGroup var option: HomeOption
    @OptionGroup var deadline: DeadlineOption

    func run() throws {
        let home = option.home
        let client = GroupClient(home: home)
        guard try client.ask(.down, for: "the end of the group", within: deadline.milliseconds) != nil else {
            throw CommandFailure.notRunning(home, systemd: "systemctl stop counterfoil.target")
        }
        print("the group in \(home.root) has ended")
    }
}
