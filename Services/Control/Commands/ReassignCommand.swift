import ArgumentParser
import Contracts
import Program

struct ReassignCommand: AsyncParsableCommand {
    /// Bytes of a reason; the trace keeps it.
    private static let reasonBytes = 1...500

    static let configuration = CommandConfiguration(
        commandName: "reassign",
        abstract: "Decides whose a purchase is: everything that it gives goes to another buyer.",
        discussion: """
            The ledger of the holder is reversed; what a balance that must not fall below zero leaves there comes from \
            the account `compensation`. Then the purchase pays an order of the newcomer, who gets everything. It \
            happens once, however often the command is run; `counterfoil trace` shows it with the reason.

              counterfoil reassign 2000000812345678 --reason "ticket 4711" --dry-run
              counterfoil reassign 2000000812345678 --buyer ada --reason "ticket 4711"

            Exit code 0: done, under way or nothing to do. 1: it cannot be done; the line says why. 3: a partition of \
            the group did not answer.
            """
    )

    @OptionGroup var option: HomeOption
    @OptionGroup var decision: DecisionOption

    @Argument(help: "The id of one of the purchase's transactions, or of the purchase as `trace` names it.")
    var purchase: PurchaseID

    @Option(help: "The new holder (default: the buyer whose submission is parked for it).")
    var buyer: BuyerID?

    @Option(help: "Why; it stands in the trace.")
    var reason: String

    @Option(help: "The bundle id of the app, if several have such a purchase.")
    var app: BundleID?

    @Option(help: "The environment: production or sandbox.")
    var environment = VerifyCommand.ExpectedEnvironment.production

    @Flag(help: "Say what would happen; do nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    mutating func validate() throws {
        guard Self.reasonBytes.contains(reason.utf8.count), reason.isPrintable(bytes: Self.reasonBytes) else {
            throw ValidationError("--reason must be one line of 1 to \(Self.reasonBytes.upperBound) bytes.")
        }
    }

    func run() async throws {
        let answer = try await PartitionInquiry.of(option.home) { try await decide(in: $0) }
        if json {
            try Terminal.printJSON(answer)
        } else {
            print(text(answer))
            if dryRun { print(evidence(of: answer)) }
        }
    }

    /// Finds the one partition that knows the purchase, and decides there.
    private func decide(in group: PartitionInquiry) async throws -> ReassignmentV1 {
        let answers = await group.askAll(request(isDryRun: true), group.addresses(of: [.receipts]))
        guard let found = answers.found.first else {
            let refused = answers.missed.failures.values.first {
                $0.refusal.map { $0.code != .notFound } ?? false
            }
            if let refused { throw refused }
            try answers.missed.without(.notFound).check("the search")
            throw CommandFailure(description: "no purchase \(purchase) is known")
        }
        guard answers.found.count == 1 else {
            throw CommandFailure(description: "several apps have a purchase \(purchase): name one with --app")
        }
        guard !dryRun else { return found.reply }
        return try await group.ask(request(isDryRun: false), of: found.address)
    }

    private func request(isDryRun: Bool) -> ClaimReassignV1 {
        ClaimReassignV1(
            purchaseId: purchase,
            bundleId: app,
            environment: environment.environment,
            buyerId: buyer,
            reason: reason,
            decidedBy: decision.by,
            isDryRun: isDryRun
        )
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
        case .proposed: return "\(answer.purchaseId), which nobody held, goes to \(answer.buyerId)"
        case .underWay: return "\(answer.purchaseId) is on its way from \(holder) to \(answer.buyerId)"
        case .nothing: return "\(answer.buyerId) holds \(answer.purchaseId) already; nothing to do"
        }
    }
}
