import ArgumentParser
import Contracts
import Program

struct ReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Takes a compensation back, or withdraws a proposal that nobody has confirmed.",
        discussion: """
            It takes a key of the role approve; of the role support it withdraws one's own proposal that nobody has \
            confirmed. Of an amount whose balance must not fall below zero no more is taken \
            than is there. Where the purchase of a compensation has taken its place, nothing is taken back. A move that is confirmed is undone by another one, with `counterfoil reassign`. Repeated, \
            it changes nothing more.
            """
    )

    private struct Body: Encodable { let reason: String }

    @OptionGroup var options: DeskOptions
    @OptionGroup var why: ReasonOption

    @Argument(help: "The proposal, as `grant` or `reassign` has printed it.")
    var proposal: ProposalID

    func run() async throws {
        let client = try DeskClient(of: options.option.home)
        let body = Body(reason: why.reason)
        let path = "/proposals/\(proposal)/reverse"
        switch proposal.kind {
        case .compensation:
            try options.show(try await client.post(path, body, as: CompensationV1.self), \.textOfReversal)
        case .move:
            let answer = try await client.post(path, body, as: ReassignmentProposalV1.self)
            try options.show(answer) { "\($0.purchaseId) stays with \($0.holderId)" }
        }
    }
}

extension CompensationV1 {
    /// How it has ended, and what that has taken from the buyer.
    var textOfReversal: String {
        switch state {
        case .matched:
            "\(text); nothing is taken back: its purchase\(purchaseId.map { " \($0)" } ?? "") has taken its place"
        case .void: "\(text); nothing is taken back: nothing had been given"
        case .proposed, .granted, .reversed: text
        }
    }
}
