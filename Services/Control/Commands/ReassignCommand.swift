import ArgumentParser
import Contracts
import Program

struct ReassignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reassign",
        abstract: "Decides whose a purchase is: everything that it gives goes to another buyer.",
        discussion: """
            The ledger of the holder is reversed; what a balance that must not fall below zero leaves there comes from \
            the account `compensation`. Then the purchase pays an order of the newcomer, who gets everything. It \
            happens once, however often the command is run; `counterfoil trace` shows it with the reason.

              counterfoil reassign 2000000812345678 --reason "ticket 4711" --dry-run
              counterfoil reassign 2000000812345678 --buyer ada --reason "ticket 4711"

            It takes a key of the role support. Where amounts move it is a proposal, which another operator confirms \
            with `counterfoil confirm`; where access alone moves, one person is enough.

            Exit code 0: done, proposed, under way or nothing to do. 1: it cannot be done; the line says why. 3: the \
            gateway, or a partition of the group, did not answer.
            """
    )

    private struct Body: Encodable {
        let purchaseId: PurchaseID
        let buyerId: BuyerID?
        let bundleId: BundleID?
        let environment: Environment
        let reason: String
        let dryRun: Bool
    }

    private struct Answer: Codable {
        let decision: ReassignmentV1
        let proposal: ReassignmentProposalV1?
    }

    @OptionGroup var options: DeskOptions
    @OptionGroup var why: ReasonOption
    @OptionGroup var repeated: KeyOption

    @Argument(help: "The id of one of the purchase's transactions, or of the purchase as `trace` names it.")
    var purchase: PurchaseID

    @Option(help: "The new holder (default: the buyer whose submission is parked for it).")
    var buyer: BuyerID?

    @Flag(help: "Say what would happen; do nothing.")
    var dryRun = false

    func run() async throws {
        let body = Body(
            purchaseId: purchase,
            buyerId: buyer,
            bundleId: options.app,
            environment: options.environment.environment,
            reason: why.reason,
            dryRun: dryRun
        )
        let client = try DeskClient(of: options.option.home)
        let answer = try await client.propose("/reassignments", body, key: repeated.key, as: Answer.self)
        guard !options.json else { return try Terminal.printJSON(answer) }
        if let proposal = answer.proposal {
            print("proposed: \(proposal.purchaseId) moves from \(proposal.holderId) to \(proposal.buyerId)")
            print("another operator confirms it: counterfoil confirm \(proposal.proposalId)")
        } else {
            print(text(answer.decision))
            if dryRun { print(evidence(of: answer.decision)) }
        }
    }

    /// By what the holder has it, and who else asks for it.
    private func evidence(of answer: ReassignmentV1) -> String {
        let order = answer.orderId.map { ", order \($0)" } ?? ""
        let held = answer.heldBy.map { "held by evidence: \($0.rawValue)\(order)" } ?? "held by nobody"
        let token = "its token: \(answer.appAccountToken ?? "none")"
        let parked = answer.parked.isEmpty ? "nobody" : answer.parked.map(\.rawValue).joined(separator: ", ")
        return "\(held); \(token); parked: \(parked)"
    }

    private func text(_ answer: ReassignmentV1) -> String {
        let holder = answer.holderId.map { "\($0)" } ?? "nobody"
        switch answer.effect {
        case .moves where dryRun: return "would move \(answer.purchaseId) from \(holder) to \(answer.buyerId)"
        case .moves: return "\(answer.purchaseId) moves from \(holder) to \(answer.buyerId)"
        case .proposed where dryRun:
            return "would give \(answer.purchaseId), which nobody holds, to \(answer.buyerId)"
        case .proposed:
            return "\(answer.purchaseId), which nobody held, goes to \(answer.buyerId)" + answer.noteOfNumber
        case .underWay: return "\(answer.purchaseId) is on its way from \(holder) to \(answer.buyerId)"
        case .nothing: return "\(answer.buyerId) holds \(answer.purchaseId) already; nothing to do"
        }
    }
}
