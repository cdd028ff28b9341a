import ArgumentParser
import Contracts
import Program

struct ConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Confirms what another operator has proposed, which then happens.",
        discussion: """
            It takes a key of the role approve, and of somebody else than the proposer. A proposal is void after 7 \
            days. Repeated, it changes nothing more.
            """
    )

    private struct Nothing: Encodable {}

    @OptionGroup var options: DeskOptions

    @Argument(help: "The proposal, as `grant` or `reassign` has printed it.")
    var proposal: ProposalID

    func run() async throws {
        let client = try DeskClient(of: options.option.home)
        let path = "/proposals/\(proposal)/confirm"
        switch proposal.kind {
        case .compensation:
            let answer = try await client.post(path, Nothing(), as: CompensationV1.self)
            try options.show(answer, \.text)
        case .move:
            let answer = try await client.post(path, Nothing(), as: ReassignmentProposalV1.self)
            try options.show(answer) {
                "\($0.purchaseId) moves from \($0.holderId) to \($0.buyerId)"
            }
        }
    }
}
