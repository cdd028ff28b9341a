/// Something that happens to every app one day, with what a right client makes of it.
struct Scenario: Sendable {
    let name: String
    /// What happens, in a few words.
    let story: String
    /// Plays it; throws what the client did wrong.
    let play: @Sendable (Stage) throws -> Void

    init(_ name: String, _ story: String, play: @escaping @Sendable (Stage) throws -> Void) {
        self.name = name
        self.story = story
        self.play = play
    }

    /// All of them, the plain ones first.
    static let all = purchases + answers + phoneStates + kills + logins + receipts
}
