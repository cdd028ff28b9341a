import ArgumentParser
import Contracts
import Program

extension AppleOrderID: ExpressibleByArgument {}

extension OrderID: ExpressibleByArgument {}

extension ProposalID: ExpressibleByArgument {}

extension TransactionID: ExpressibleByArgument {}

/// What every acting command has: the home, the app, and how to print.
struct DeskOptions: ParsableArguments {
    @OptionGroup var option: HomeOption

    @Option(help: "The bundle id of the app, if there are several.")
    var app: BundleID?

    @Option(help: "The environment: production or sandbox.")
    var environment = VerifyCommand.ExpectedEnvironment.production

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Prints an answer as JSON, or in words.
    func show<Answer: Encodable>(_ answer: Answer, _ text: (Answer) -> String) throws {
        if json { try Terminal.printJSON(answer) } else { Terminal.printLines(text(answer)) }
    }
}
