/// How long a held event waits before it is tried again, and when trying ends.
enum RetryPolicy {
    /// The first pause, in ms.
    static let firstMilliseconds: Int64 = 500
    /// The longest pause, in ms.
    static let longestMilliseconds: Int64 = 60_000
    /// After so many failures the event goes to the dead letters.
    static let attempts = 12

    /// The pause after failure number `attempt` (from 0): doubling, with jitter of up to half of it.
    static func delay(attempt: Int, random: UInt64) -> Int64 {
        let pause = min(firstMilliseconds << Int64(min(attempt, 16)), longestMilliseconds)
        return pause / 2 + Int64(random % UInt64(pause / 2 + 1))
    }
}
