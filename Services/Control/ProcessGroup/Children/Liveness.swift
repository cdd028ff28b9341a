/// Whether a program answers heartbeats, and is not stopped by a signal.
///
/// Counts unanswered heartbeats, not seconds: while `up` is stopped it sends none, so no program is late. A stopped
/// program cannot answer, so nobody waits for its heartbeats.
struct Liveness: Equatable {
    /// Time between two heartbeats, ms.
    static let interval: Int64 = 1_000
    /// Unanswered heartbeats after which a program counts as hung.
    static let patience = 5
    /// The same before the first answer: stores are opened and logs read.
    static let startPatience = 30
    /// Time after which a stopped program counts as hung, ms.
    static let stopPatience: Int64 = 500

    private(set) var unanswered = 0
    private(set) var hasAnswered = false
    /// When a stopped program counts as hung, in monotonic ms; nil while it runs.
    private(set) var hungAt: Int64?

    mutating func asked() { unanswered += 1 }

    mutating func answered() {
        unanswered = 0
        hasAnswered = true
    }

    mutating func stopped(at now: Int64) { hungAt = hungAt ?? now + Self.stopPatience }

    mutating func continued() { hungAt = nil }

    var isLost: Bool { unanswered >= (hasAnswered ? Self.patience : Self.startPatience) }
}
