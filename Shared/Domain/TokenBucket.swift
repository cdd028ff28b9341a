package import Contracts

/// Paces calls: a burst, then a steady rate.
///
/// The generic cell rate algorithm (GCRA) stores one number, the moment up to which tokens are taken. At most
/// `burst + rate × t` calls start in any `t` seconds.
package struct TokenBucket: Hashable, Sendable {
    /// What who takes a token is told.
    package enum Turn: Hashable, Sendable {
        /// A token is taken: start then, which may be now.
        case at(Timestamp)
        /// No token is taken, as the wait would be too long.
        case notBefore(Timestamp)
    }

    /// Ms; for a longer wait the work is recorded for later.
    package static let longestWait: Int64 = 2_000
    /// Ms; Apple's limits are by the hour.
    package static let longestBlock: Int64 = 3_600_000

    private static let leastRate = 1 / 3_600.0
    /// Microseconds by which two clock readings may be out of order.
    private static let clockSlack: Int64 = 1_000_000

    /// Microseconds from one token to the next.
    private let interval: Int64
    /// Microseconds' worth of calls that may start at once.
    private let tolerance: Int64
    /// Ms.
    private let longestWait: Int64
    /// Microseconds since 1970 up to which tokens are taken.
    private var taken: Int64 = 0
    private var blockedUntil = Timestamp(milliseconds: 0)

    /// `longestWait` is in ms.
    package init(perSecond: Double, burst: Int, longestWait: Int64 = Self.longestWait) {
        interval = Int64((1_000_000 / max(perSecond, Self.leastRate)).rounded(.up))
        tolerance = interval * Int64(max(burst, 1) - 1)
        self.longestWait = longestWait
    }

    /// Takes a token, unless the wait would be too long.
    package mutating func take(now: Timestamp) -> Turn {
        let ends = DueTimes(at: now, longestPause: Self.longestBlock)
        if !ends.contains(blockedUntil) { return .notBefore(blockedUntil) }
        let present = now.milliseconds * 1_000
        // No token is taken further ahead: the clock moved backwards, which must not stop all calls.
        let furthest = present + tolerance + interval + longestWait * 1_000 + Self.clockSlack
        let owed = taken > furthest ? present : max(present, taken)
        let start = Timestamp(milliseconds: (max(present, owed - tolerance) + 999) / 1_000)
        guard start.milliseconds - now.milliseconds <= longestWait else { return .notBefore(start) }
        taken = owed + interval
        return .at(start)
    }

    /// Gives no token before a moment, and no burst after it.
    package mutating func block(until moment: Timestamp) {
        blockedUntil = max(blockedUntil, moment)
        taken = max(taken, moment.milliseconds * 1_000 + tolerance)
    }
}
