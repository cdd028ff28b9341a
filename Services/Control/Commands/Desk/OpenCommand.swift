import ArgumentParser
import Contracts

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Lists the orders that are not paid, and paid ones that are not granted."
    )

    @OptionGroup var options: DeskListOptions

    func run() async throws { try await options.show(.open) }
}
