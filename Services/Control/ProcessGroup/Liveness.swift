/// Whether a program answers heartbeats.
///
/// Counts unanswered heartbeats, not seconds: while `up` is stopped it sends none, so no program is late.
struct Liveness: Equatable {
    /// Time between two heartbeats, ms.
    static let interval: Int64 = 1_000
    /// Unanswered heartbeats after which a program counts as hung.
    static let patience = 5
    /// The same before the first answer: stores are opened and logs read.
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
