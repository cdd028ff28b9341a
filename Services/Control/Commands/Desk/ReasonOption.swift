import ArgumentParser
import Contracts
import Domain

struct ReasonOption: ParsableArguments {
    @Option(help: "Why, such as a ticket; it stands in the record, so write nobody's name.")
    var reason: String

    mutating func validate() throws {
        guard OperatorReason.isValid(reason) else {
            throw ValidationError("--reason \(OperatorReason.rule).")
        }
    }
}
