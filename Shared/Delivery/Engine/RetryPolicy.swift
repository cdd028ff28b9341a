import Domain

enum RetryPolicy {
    static let backoff = Backoff(first: 500, longest: 60_000)
    static let attempts = 12
}
