/// When Apple tries again to deliver a notification (version 2): 1, 12, 24, 48 and 72 hours after the
/// attempt before; in the sandbox there is one attempt only.
struct RetrySchedule: Sendable {
    static let hours: [Double] = [1, 12, 24, 48, 72]
    /// Statuses that mean: received.
    static let success = 200...206

    let environment: StoreEnvironment
    /// How many times faster than Apple's the time goes here.
    var factor: Double = 1

    /// Milliseconds between attempt number `attempts` (the first is 1) and the next one; nil when that was
    /// the last.
    func pause(after attempts: Int) -> Int64? {
        guard environment == .production, Self.hours.indices.contains(attempts - 1) else { return nil }
        return Int64(Self.hours[attempts - 1] * 3_600_000 / factor)
    }
}
