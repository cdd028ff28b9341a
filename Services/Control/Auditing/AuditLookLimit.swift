/// Decides when a difference that stays is no work in progress.
///
/// A difference may come from messages that are under way. What was under way at the first look is done once nothing
/// is as old as that look; the messages that it led to need some looks more. Nothing may be under way for longer than
/// 60 s, so that no look waits longer.
struct AuditLookLimit: Equatable {
    /// Looks at least: 2 s.
    static let minimumLooks = 8
    /// 60 s of looks.
    static let maximumLooks = 240
    /// Between two looks, ms; as `PollLimit.pause`.
    static let pause: Int64 = 250

    private var looks = 0

    /// Counts a look after a pause; returns whether it was the last.
    ///
    /// `oldestUnsettledMs` is how long the oldest event is under way.
    mutating func isReached(oldestUnsettledMs: Int64) -> Bool {
        looks += 1
        if looks >= Self.maximumLooks { return true }
        return looks >= Self.minimumLooks && oldestUnsettledMs < Int64(looks) * Self.pause
    }
}
