/// Whether a program still answers: one beat a second, counted, not timed.
///
/// Counting unanswered beats instead of seconds is fair when `up` itself was stopped for a while: it asked
/// nothing
/// during that time.
struct HeartbeatWatch: Equatable {
    /// Time between two beats, in milliseconds.
    static let interval: Int64 = 1_000
    /// Unanswered beats after which a program is taken for stopped.
    static let patience = 5
    /// The same before the first answer, while stores are opened and logs read back.
    static let startPatience = 30

    private(set) var unanswered = 0
    private(set) var hasAnswered = false

    mutating func asked() { unanswered += 1 }

    mutating func answered() {
        unanswered = 0
        hasAnswered = true
    }

    var isSilent: Bool { unanswered >= (hasAnswered ? Self.patience : Self.startPatience) }
}
