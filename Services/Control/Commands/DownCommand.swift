import ArgumentParser
import Program

/// `counterfoil down`: ends the group.
struct DownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Ends the group politely and returns when it has ended."
    )

    @OptionGroup var option: HomeOption

    func run() throws {
        let home = option.home
        guard try GroupClient(home: home).ask(.down) != nil else {
            throw CommandFailure.notRunning(home, systemd: "systemctl stop counterfoil.target")
        }
        print("the group in \(home.root) has ended")
    }
}
