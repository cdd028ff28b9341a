import ArgumentParser
import Contracts

struct OrphansCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orphans",
        abstract: "Lists genuine purchases that nobody holds, each with its likely buyer."
    )

    @OptionGroup var options: DeskListOptions

    func run() async throws { try await options.show(.orphans) }
}
