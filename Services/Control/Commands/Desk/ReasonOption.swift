import ArgumentParser
import Contracts
import Domain

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
