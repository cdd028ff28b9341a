/// How long to wait before the next try; there is always a next one.
struct Backoff: Equatable, Sendable {
    static let firstMilliseconds: Int64 = 1_000
    static let longestMilliseconds: Int64 = 300_000
    /// A day: a server that asks for more is asked earlier, because a slip in a header must not silence a phone.
    static let longestRetryAfterMilliseconds: Int64 = 86_400_000
    private static let longestShift = 9
    private(set) var failures = 0

    /// The next pause in ms, less up to a half by `chance` (0 to 1), so that phones do not come back together.
    mutating func next(chance: Double) -> Int64 {
        let full = min(Self.firstMilliseconds << min(failures, Self.longestShift), Self.longestMilliseconds)
        failures += 1
        return full - Int64(Double(full / 2) * chance)
    }

    /// What the server asked for, in ms, and up to a tenth more by `chance`; never less than the pause without it,
    /// because a server that asks for no time at all would be asked without a pause.
    mutating func obey(_ milliseconds: Int64, chance: Double) -> Int64 {
        let asked = min(max(milliseconds, 0), Self.longestRetryAfterMilliseconds)
        return max(next(chance: chance), asked + Int64(Double(asked / 10) * chance))
    }
}
