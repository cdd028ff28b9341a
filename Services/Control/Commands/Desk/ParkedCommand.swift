import ArgumentParser
import Contracts

struct ParkedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parked",
        abstract: "Lists the proofs, notifications of Apple and grants that wait for an operator."
    )

    @OptionGroup var options: DeskListOptions

    func run() async throws { try await options.show(.parked) }
}
