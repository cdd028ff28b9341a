/// How often a call that found no answer is made again at once, and after what pause.
///
/// Short, as the work itself is durable: what still fails is put down, and taken up again by its owner.
package struct RetryRule: Hashable, Sendable {
    /// Calls in all, the first included.
    package var attempts: Int
    /// The pause after the first failure, in ms.
    package var firstPause: Int64
    /// The longest pause, in ms.
    package var longestPause: Int64

    /// Three calls within about a second.
    package static let brief = RetryRule(attempts: 3, firstPause: 200, longestPause: 5_000)

    package init(attempts: Int, firstPause: Int64, longestPause: Int64) {
        self.attempts = attempts
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The pause in ms after failure number `attempt` (from 1): doubling, the upper half of it by chance.
    package func pause(after attempt: Int, random: UInt64) -> Int64 {
        let doublings = Int64(min(max(attempt - 1, 0), 16))
        let pause = min(firstPause << doublings, longestPause)
        return pause / 2 + Int64(random % UInt64(pause / 2 + 1))
    }
}
