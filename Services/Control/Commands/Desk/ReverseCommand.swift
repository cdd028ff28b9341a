import ArgumentParser
import Contracts
import Program

struct ReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Takes a compensation back, or withdraws one that nobody has confirmed.",
        discussion: """
            It takes a key of the role approve. Of an amount whose balance must not fall below zero no more is taken \
            than is there. Repeated, it changes nothing more.
            """
    )

    private struct Body: Encodable { let reason: String }

    @OptionGroup var options: DeskOptions
    @OptionGroup var why: ReasonOption

    @Argument(help: "The compensation, as `grant` has printed it.")
    var proposal: ProposalID

    func run() async throws {
        let client = try DeskClient(of: options.option.home)
        let body = Body(reason: why.reason)
        let path = "/proposals/\(proposal)/reverse"
        try options.show(try await client.post(path, body, as: CompensationV1.self), \.text)
    }
}
