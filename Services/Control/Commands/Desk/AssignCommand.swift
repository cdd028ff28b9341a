import ArgumentParser
import Contracts
import Program

struct AssignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign",
        abstract: "Gives an orphan, a purchase that nobody holds, to a buyer.",
        discussion: """
            It takes a key of the role support. What somebody holds is refused: `counterfoil reassign` moves it.

              counterfoil assign 2000000812345678 --buyer ada --reason "ticket 4711"
            """
    )

    private struct Body: Encodable {
        let transactionId: PurchaseID
        let buyerId: BuyerID
        let bundleId: BundleID?
        let environment: Environment
        let reason: String
    }

    @OptionGroup var options: DeskOptions
    @OptionGroup var why: ReasonOption

    @Argument(help: "The id of the transaction.")
    var transaction: PurchaseID

    @Option(help: "Who gets it.")
    var buyer: BuyerID

    func run() async throws {
        let body = Body(
            transactionId: transaction,
            buyerId: buyer,
            bundleId: options.app,
            environment: options.environment.environment,
            reason: why.reason
        )
        let client = try DeskClient(of: options.option.home)
        let answer = try await client.post("/assignments", body, as: ReassignmentV1.self)
        try options.show(answer) { answer in
            answer.effect == .nothing
                ? "\(answer.buyerId) holds \(answer.purchaseId) already; nothing to do"
                : "\(answer.purchaseId) (\(answer.productId)), which nobody held, goes to \(answer.buyerId)"
                    + answer.noteOfNumber
        }
    }
}

extension ReassignmentV1 {
    /// What was not looked at where Apple has not named the number, as a line of its own; else nothing.
    var noteOfNumber: String {
        guard isNumberKnown == false else { return "" }
        return "\nApple has not named its order number: a compensation on that number could not be seen; "
            + "see `counterfoil find NUMBER`, and `counterfoil held` later"
    }
}
