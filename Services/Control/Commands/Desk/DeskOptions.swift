import ArgumentParser
import Contracts
import Domain
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

struct ReasonOption: ParsableArguments {
    @Option(help: "Why, such as a ticket; it stands in the record, so write nobody's name.")
    var reason: String

    mutating func validate() throws {
        guard reason.isPrintable(bytes: Limits.reasonBytes) else {
            throw ValidationError(
                "--reason must be one line of 1 to \(Limits.reasonBytes.upperBound) bytes."
            )
        }
    }
}

/// The `Idempotency-Key` of what makes a proposal.
struct KeyOption: ParsableArguments {
    @Option(help: "The key that a run without an answer has printed: the same key is the same proposal.")
    var key: String?

    mutating func validate() throws {
        guard let key else { return }
        guard key.isPrintable(bytes: Limits.idempotencyKeyBytes), key.utf8.allSatisfy({ $0 < 0x7F }) else {
            throw ValidationError("--key must be 1 to 255 printable ASCII characters.")
        }
    }
}
