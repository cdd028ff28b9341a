/// How long to wait before something that failed is tried again: doubling from `first` to `longest`, less some jitter.
package struct Backoff: Hashable, Sendable {
    /// The pause after the first failure, in ms.
    package let first: Int64
    /// The longest pause, in ms.
    package let longest: Int64
    /// The part of a pause that is left to chance, 0 to 1, so that those who failed together do not return together.
    package let jitter: Double

    package init(first: Int64, longest: Int64, jitter: Double = 0.5) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// The pause in ms after failure number `failures`, counted from 1.
    package func pause(after failures: Int, random: UInt64) -> Int64 {
        let doublings = min(max(failures - 1, 0), first.leadingZeroBitCount - 1)
        let pause = min(first << Int64(doublings), longest)
        let chance = Int64(Double(pause) * jitter)
        return pause - chance + Int64(random % UInt64(chance + 1))
    }
}
