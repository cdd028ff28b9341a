import ArgumentParser
import Program

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks configuration, keys and certificates, and changes nothing.",
        discussion: """
            `up`, `restart` and `scale` do this by themselves. Exit code 0: every program can begin with them. \
            2: they cannot be used, and one line says where and why. A file with secrets that every user of the \
            machine may read is a warning. A catalog that is not loaded yet is checked by \
            `catalog check`.
            """
    )

    @OptionGroup var option: HomeOption

    func run() throws {
        let checked = try ConfigurationCheck(home: option.home, launcher: .standard(option.home)).run()
        print("configuration \(checked.version) can be used")
    }
}
