import ArgumentParser
import Contracts

struct ProposalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proposals",
        abstract: "Lists what one operator has proposed and another one may confirm, for 7 days."
    )

    @OptionGroup var options: DeskListOptions

    func run() async throws { try await options.show(.proposals) }
}
