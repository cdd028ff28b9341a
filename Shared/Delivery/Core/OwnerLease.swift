/// For how long an owner may answer what writes nothing, on a partition whose log other hosts can claim.
///
/// What writes meets the log's next position. What only reads would not notice a new owner: it is answered only while
/// nobody can have claimed, which is for 2 s after a renewal was *sent* that was acknowledged. A watcher sees a counter
/// stand still for 3 s before it claims; the second between covers clocks that run at different speeds.
///
/// | a renewal | the lease |
/// |---|---|
/// | was acknowledged | ends 2 s after it was sent, or later as it did |
/// | has an unknown outcome | is what it was |
/// | met another owner | has ended |
struct OwnerLease: Equatable, Sendable {
    /// After the renewal was sent.
    static let milliseconds: Int64 = 2_000
    static let silenceMilliseconds: Int64 = 3_000

    /// What became of a renewal.
    enum Event: Equatable, Sendable {
        case acknowledged(sentAt: Int64)
        case unknown
        case lost
    }

    private var endsAt = Int64.min
    /// Another owner was met, or this one has left.
    private(set) var isLost = false

    mutating func apply(_ event: Event) {
        switch event {
        case .acknowledged(let sentAt): endsAt = max(endsAt, sentAt + Self.milliseconds)
        case .unknown: break
        case .lost: isLost = true
        }
    }

    /// At a time of the owner's own clock that only moves forward, in ms.
    func isValid(at uptime: Int64) -> Bool { !isLost && uptime < endsAt }
}
