import ArgumentParser
import Contracts
import Domain

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
