import Contracts

/// Paces the calls to one endpoint: a burst, and then a steady rate.
///
/// The generic cell rate algorithm (GCRA): one number, the moment up to which tokens are taken; a call may start at
/// most a burst's worth of intervals before it. In any span of `t` seconds at most `burst + rate × t` calls start.
struct TokenBucket: Hashable, Sendable {
    /// When a call may start.
    enum Turn: Hashable, Sendable {
        /// A token is taken: start then, which may be now.
        case at(Timestamp)
        /// No token is taken, as the wait would be too long; ask again then.
        case notBefore(Timestamp)
    }

    /// Longest that a call waits for its token, in ms; beyond that its work is recorded for later.
    static let longestWait: Int64 = 2_000
    /// Longest pause of Apple's, in ms: its limits are by the hour.
    static let longestBlock: Int64 = 3_600_000

    /// Tokens a second of the slowest bucket: one an hour.
    private static let leastRate = 1 / 3_600.0
    /// Microseconds by which two readings of the clock may come in the wrong order.
    private static let clockSlack: Int64 = 1_000_000

    /// Microseconds from one token to the next.
    private let interval: Int64
    /// Microseconds of calls that may start at once.
    private let tolerance: Int64
    /// Microseconds since 1970 up to which tokens have been taken.
    private var taken: Int64 = 0
    private var blockedUntil = Timestamp(milliseconds: 0)

    /// A full bucket with `perSecond` new tokens a second, and room for `burst`.
    init(perSecond: Double, burst: Int) {
        interval = Int64((1_000_000 / max(perSecond, Self.leastRate)).rounded(.up))
        tolerance = interval * Int64(max(burst, 1) - 1)
    }

    /// Takes a token if one is to be had soon.
    mutating func take(now: Timestamp) -> Turn {
        if now < blockedUntil, blockedUntil <= now.advanced(by: Self.longestBlock) {
            return .notBefore(blockedUntil)
        }
        let present = now.milliseconds * 1_000
        // No token is taken further ahead: the clock was put back, which must not stop all calls.
        let furthest = present + tolerance + interval + Self.longestWait * 1_000 + Self.clockSlack
        let owed = taken > furthest ? present : max(present, taken)
        let start = Timestamp(milliseconds: (max(present, owed - tolerance) + 999) / 1_000)
        guard start.milliseconds - now.milliseconds <= Self.longestWait else { return .notBefore(start) }
        taken = owed + interval
        return .at(start)
    }

    /// Gives no token before `moment`, because Apple said so, and after it no burst.
    mutating func block(until moment: Timestamp) {
        blockedUntil = max(blockedUntil, moment)
        taken = max(taken, moment.milliseconds * 1_000 + tolerance)
    }
}
