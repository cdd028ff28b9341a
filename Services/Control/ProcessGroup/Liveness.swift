/// Whether a program still answers: one heartbeat a second.
///
/// It counts unanswered heartbeats instead of seconds: while `up` itself is stopped it asks nothing, and nobody is late.
struct Liveness: Equatable {
    /// Time between two heartbeats, in milliseconds.
    static let interval: Int64 = 1_000
    /// Unanswered heartbeats after which a program is taken for stopped.
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

    var isLost: Bool { unanswered >= (hasAnswered ? Self.patience : Self.startPatience) }
}
