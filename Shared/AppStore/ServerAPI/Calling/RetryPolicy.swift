/// How often a request that brought no response is sent again at once, and after what delay.
///
/// Few times, as the work itself is durable: what still fails is recorded, and taken up again by its owner.
package struct RetryPolicy: Hashable, Sendable {
    /// Requests in all, the first included.
    package var attempts: Int
    /// The delay after the first failure, in ms.
    package var firstDelay: Int64
    /// The longest delay, in ms.
    package var longestDelay: Int64

    /// Three requests within about a second.
    package static let brief = RetryPolicy(attempts: 3, firstDelay: 200, longestDelay: 5_000)

    /// The delay in ms after failure number `attempt` (from 1): doubling, the upper half of it random.
    package func delay(after attempt: Int, random: UInt64) -> Int64 {
        let doublings = Int64(min(max(attempt - 1, 0), 16))
        let delay = min(firstDelay << doublings, longestDelay)
        return delay / 2 + Int64(random % UInt64(delay / 2 + 1))
    }
}
