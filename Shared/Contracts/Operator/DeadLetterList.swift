/// Events that a partition could not handle.
package struct DeadLetterList: Codable, Hashable, Sendable {
    package var letters: [DeadLetter]

    package init(
        letters: [DeadLetter]
    ) {
        self.letters = letters
    }
}
