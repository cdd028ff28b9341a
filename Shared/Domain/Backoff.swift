/// How long to wait before retrying: doubles from `first` to `longest`, less some jitter.
package struct Backoff: Hashable, Sendable {
    /// Pause after the first failure, ms.
    package let first: Int64
    /// Longest pause, ms.
    package let longest: Int64
    /// Random share of a pause, 0 to 1, so that simultaneous failures do not retry together.
    package let jitter: Double

    package init(first: Int64, longest: Int64, jitter: Double = 0.5) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// Pause after failure number `failures`, counted from 1, ms.
    package func pause(after failures: Int, random: UInt64) -> Int64 {
        let doublings = min(max(failures - 1, 0), first.leadingZeroBitCount - 1)
        let pause = min(first << Int64(doublings), longest)
        let chance = Int64(Double(pause) * jitter)
        return pause - chance + Int64(random % UInt64(chance + 1))
    }
}
