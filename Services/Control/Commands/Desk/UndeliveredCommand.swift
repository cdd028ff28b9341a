import ArgumentParser
import Contracts

struct UndeliveredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undelivered",
        abstract: "Lists the webhooks that your server has not taken, the first of each buyer."
    )

    @OptionGroup var options: DeskListOptions

    func run() async throws { try await options.show(.undelivered) }
}
