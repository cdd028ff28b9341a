import ArgumentParser
import Contracts

struct HeldUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held",
        abstract: "Lists the purchases that are held up: Apple's word is missing, or two buyers claim them.",
        discussion: """
            Compensations are among them that stand though another buyer, or nobody, has their purchase.
            """
    )

    @OptionGroup var options: DeskListOptions

    func run() async throws { try await options.show(.held) }
}
