import Domain

/// How often a held event is tried again, and after what pauses.
enum RetryPolicy {
    /// The pauses between two attempts.
    static let backoff = Backoff(first: 500, longest: 60_000)
    /// After so many failures the event goes to the dead letters.
    static let attempts = 12
}
