/// Events that a partition could not handle.
package struct DeadLetterList: Codable, Hashable, Sendable {
    package var letters: [DeadLetter]

    /// The value, member by member.
    package init(
        letters: [DeadLetter]
    ) {
        self.letters = letters
    }
}
